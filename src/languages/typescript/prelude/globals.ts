// What a script finds without importing it, as far as it decides types in a project: above all what collections,
// promises and functions do with the types they are given. From ECMA-262 (https://tc39.es/ecma262/), the TypeScript
// handbook (https://www.typescriptlang.org/docs/handbook/utility-types.html), and MDN (https://developer.mozilla.org/docs/Web/API).
// A member that is not declared here is outside the project like the others, and its type is not known.

// Iteration. `[Symbol.element]` is ours: what one step of a loop gives.
export interface Iterable<T> { [Symbol.iterator](): Iterator<T>; }
export interface AsyncIterable<T> { [Symbol.asyncIterator](): AsyncIterator<T>; }
export interface IteratorResult<T> { done: boolean; value: T; }
export declare class Iterator<T> implements Iterable<T> {
  [Symbol.element](): T;
  [Symbol.iterator](): Iterator<T>;
  next(value?: any): IteratorResult<T>;
  return(value?: any): IteratorResult<T>;
  throw(error?: any): IteratorResult<T>;
  map<U>(f: (value: T, index: number) => U): Iterator<U>;
  filter(f: (value: T, index: number) => unknown): Iterator<T>;
  flatMap<U>(f: (value: T, index: number) => Iterable<U>): Iterator<U>;
  take(limit: number): Iterator<T>;
  drop(count: number): Iterator<T>;
  forEach(f: (value: T, index: number) => void): void;
  find(f: (value: T, index: number) => unknown): T;
  some(f: (value: T, index: number) => unknown): boolean;
  every(f: (value: T, index: number) => unknown): boolean;
  reduce<U>(f: (total: U, value: T, index: number) => U, initial: U): U;
  toArray(): T[];
  static from<U>(from: Iterable<U>): Iterator<U>;
}
export interface IterableIterator<T> extends Iterator<T> {}
export interface IteratorObject<T> extends Iterator<T> {}
export interface ArrayIterator<T> extends Iterator<T> {}
export interface Generator<T, R, N> extends Iterator<T> {}
export declare class AsyncIterator<T> implements AsyncIterable<T> {
  [Symbol.element](): T;
  [Symbol.asyncIterator](): AsyncIterator<T>;
  next(value?: any): Promise<IteratorResult<T>>;
  return(value?: any): Promise<IteratorResult<T>>;
}
export interface AsyncIterableIterator<T> extends AsyncIterator<T> {}
export interface AsyncGenerator<T, R, N> extends AsyncIterator<T> {}

// Collections.
export declare class Array<T> implements Iterable<T> {
  constructor(...items: T[]);
  length: number;
  [index: number]: T;
  [Symbol.iterator](): Iterator<T>;
  at(index: number): T;
  concat(...items: (T | T[])[]): T[];
  copyWithin(target: number, start: number, end?: number): this;
  entries(): Iterator<[number, T]>;
  every(f: (value: T, index: number, array: T[]) => unknown, self?: any): boolean;
  fill(value: T, start?: number, end?: number): this;
  filter<S>(f: (value: T, index: number, array: T[]) => value is S, self?: any): S[];
  filter(f: (value: T, index: number, array: T[]) => unknown, self?: any): T[];
  find(f: (value: T, index: number, array: T[]) => unknown, self?: any): T;
  findIndex(f: (value: T, index: number, array: T[]) => unknown, self?: any): number;
  findLast(f: (value: T, index: number, array: T[]) => unknown, self?: any): T;
  findLastIndex(f: (value: T, index: number, array: T[]) => unknown, self?: any): number;
  flat(depth?: number): FlatOf<T>[];
  flatMap<U>(f: (value: T, index: number, array: T[]) => U | U[], self?: any): U[];
  forEach(f: (value: T, index: number, array: T[]) => void, self?: any): void;
  includes(value: T, from?: number): boolean;
  indexOf(value: T, from?: number): number;
  join(separator?: string): string;
  keys(): Iterator<number>;
  lastIndexOf(value: T, from?: number): number;
  map<U>(f: (value: T, index: number, array: T[]) => U, self?: any): U[];
  pop(): T;
  push(...items: T[]): number;
  reduce(f: (total: T, value: T, index: number, array: T[]) => T): T;
  reduce<U>(f: (total: U, value: T, index: number, array: T[]) => U, initial: U): U;
  reduceRight(f: (total: T, value: T, index: number, array: T[]) => T): T;
  reduceRight<U>(f: (total: U, value: T, index: number, array: T[]) => U, initial: U): U;
  reverse(): T[];
  shift(): T;
  slice(start?: number, end?: number): T[];
  some(f: (value: T, index: number, array: T[]) => unknown, self?: any): boolean;
  sort(compare?: (a: T, b: T) => number): T[];
  splice(start: number, count?: number, ...items: T[]): T[];
  toReversed(): T[];
  toSorted(compare?: (a: T, b: T) => number): T[];
  toSpliced(start: number, count?: number, ...items: T[]): T[];
  toString(): string;
  unshift(...items: T[]): number;
  values(): Iterator<T>;
  with(index: number, value: T): T[];
  static from<U>(from: Iterable<U>): U[];
  static from<U, V>(from: Iterable<U>, f: (value: U, index: number) => V, self?: any): V[];
  static fromAsync<U>(from: AsyncIterable<U>): Promise<U[]>;
  static isArray(value: any): value is any[];
  static of<U>(...items: U[]): U[];
}
type FlatOf<T> = any;
export interface ReadonlyArray<T> extends Array<T> {}
export interface ConcatArray<T> extends Array<T> {}
export interface ArrayLike<T> { length: number; [index: number]: T; }
export declare class Map<K, V> implements Iterable<[K, V]> {
  constructor(entries?: Iterable<[K, V]> | null);
  size: number;
  [Symbol.iterator](): Iterator<[K, V]>;
  clear(): void;
  delete(key: K): boolean;
  entries(): Iterator<[K, V]>;
  forEach(f: (value: V, key: K, map: Map<K, V>) => void, self?: any): void;
  get(key: K): V;
  has(key: K): boolean;
  keys(): Iterator<K>;
  set(key: K, value: V): this;
  values(): Iterator<V>;
  static groupBy<A, B>(items: Iterable<B>, f: (item: B, index: number) => A): Map<A, B[]>;
}
export interface ReadonlyMap<K, V> extends Map<K, V> {}
export declare class Set<T> implements Iterable<T> {
  constructor(values?: Iterable<T> | null);
  size: number;
  [Symbol.iterator](): Iterator<T>;
  add(value: T): this;
  clear(): void;
  delete(value: T): boolean;
  difference(other: Set<T>): Set<T>;
  entries(): Iterator<[T, T]>;
  forEach(f: (value: T, again: T, set: Set<T>) => void, self?: any): void;
  has(value: T): boolean;
  intersection(other: Set<T>): Set<T>;
  keys(): Iterator<T>;
  union(other: Set<T>): Set<T>;
  values(): Iterator<T>;
}
export interface ReadonlySet<T> extends Set<T> {}
export declare class WeakMap<K, V> {
  constructor(entries?: Iterable<[K, V]> | null);
  delete(key: K): boolean;
  get(key: K): V;
  has(key: K): boolean;
  set(key: K, value: V): this;
}
export declare class WeakSet<T> { constructor(values?: Iterable<T>); add(value: T): this; delete(value: T): boolean; has(value: T): boolean; }
export declare class WeakRef<T> { constructor(target: T); deref(): T; }
export declare class FinalizationRegistry<T> { constructor(f: (held: T) => void); register(target: any, held: T, token?: any): void; unregister(token: any): boolean; }

// Promises.
export declare class Promise<T> {
  constructor(executor: (resolve: (value?: T | Promise<T>) => void, reject: (reason?: any) => void) => void);
  then<U, V>(fulfilled?: ((value: T) => U | Promise<U>) | null, rejected?: ((reason: any) => V | Promise<V>) | null): Promise<U | V>;
  catch<U>(rejected?: ((reason: any) => U | Promise<U>) | null): Promise<T | U>;
  finally(f?: () => void): Promise<T>;
  static all<A, B, C, D>(values: [A | Promise<A>, B | Promise<B>, C | Promise<C>, D | Promise<D>]): Promise<[A, B, C, D]>;
  static all<A, B, C>(values: [A | Promise<A>, B | Promise<B>, C | Promise<C>]): Promise<[A, B, C]>;
  static all<A, B>(values: [A | Promise<A>, B | Promise<B>]): Promise<[A, B]>;
  static all<U>(values: Iterable<U | Promise<U>>): Promise<U[]>;
  static allSettled<U>(values: Iterable<U | Promise<U>>): Promise<PromiseSettledResult<U>[]>;
  static any<U>(values: Iterable<U | Promise<U>>): Promise<U>;
  static race<U>(values: Iterable<U | Promise<U>>): Promise<U>;
  static reject<U>(reason?: any): Promise<U>;
  static resolve<U>(value?: U | Promise<U>): Promise<U>;
  static try<U>(f: (...args: any[]) => U | Promise<U>, ...args: any[]): Promise<U>;
  static withResolvers<U>(): PromiseWithResolvers<U>;
}
export type PromiseLike<T> = Promise<T>;
export interface PromiseSettledResult<T> { status: string; value: T; reason: any; }
export interface PromiseFulfilledResult<T> { status: 'fulfilled'; value: T; }
export interface PromiseWithResolvers<T> { promise: Promise<T>; resolve: (value?: T | Promise<T>) => void; reject: (reason?: any) => void; }

// Primitive values and what comes with the language.
export declare class Object {
  constructor(value?: any);
  static assign(target: any, ...sources: any[]): any;
  static create(prototype: any, properties?: any): any;
  static defineProperties<T>(object: T, properties: any): T;
  static defineProperty<T>(object: T, key: any, descriptor: any): T;
  static entries<T>(object: Record<string, T>): [string, T][];
  static freeze<T>(object: T): T;
  static fromEntries<T>(entries: Iterable<[any, T]>): Record<string, T>;
  static getOwnPropertyNames(object: any): string[];
  static groupBy<T>(items: Iterable<T>, f: (item: T, index: number) => any): Record<string, T[]>;
  static keys(object: any): string[];
  static preventExtensions<T>(object: T): T;
  static seal<T>(object: T): T;
  static setPrototypeOf<T>(object: T, prototype: any): T;
  static values<T>(object: Record<string, T>): T[];
}
export declare class Function { apply(self: any, args?: any): any; bind(self: any, ...args: any[]): any; call(self: any, ...args: any[]): any; length: number; name: string; }
export declare class String implements Iterable<string> {
  constructor(value?: any);
  length: number;
  [index: number]: string;
  [Symbol.iterator](): Iterator<string>;
  match(pattern: any): RegExpMatchArray;
  matchAll(pattern: any): Iterator<RegExpMatchArray>;
  replace(pattern: any, replacement: string | ((match: string, ...groups: any[]) => string)): string;
  replaceAll(pattern: any, replacement: string | ((match: string, ...groups: any[]) => string)): string;
  slice(start?: number, end?: number): string;
  split(separator: any, limit?: number): string[];
  toLowerCase(): string;
  toString(): string;
  toUpperCase(): string;
  trim(): string;
}
export declare class Number { constructor(value?: any); toString(radix?: number): string; toFixed(digits?: number): string; }
export declare class BigInt { toString(radix?: number): string; }
export declare class Boolean { constructor(value?: any); }
export declare class Symbol { description: string; }
export declare class RegExp { constructor(pattern: any, flags?: string); exec(text: string): RegExpExecArray; test(text: string): boolean; source: string; lastIndex: number; }
export interface RegExpMatchArray extends Array<string> { index: number; input: string; groups: Record<string, string>; }
export interface RegExpExecArray extends RegExpMatchArray {}
export declare class Date { constructor(...parts: any[]); getTime(): number; toISOString(): string; static now(): number; }
export declare class Error { constructor(message?: string, options?: any); message: string; name: string; stack: string; cause: any; }
export declare class AggregateError extends Error { errors: any[]; }
export declare class EvalError extends Error {}
export declare class RangeError extends Error {}
export declare class ReferenceError extends Error {}
export declare class SyntaxError extends Error {}
export declare class TypeError extends Error {}
export declare class URIError extends Error {}
export declare class Proxy { constructor(target: any, handler: any); }
export declare class ArrayBuffer { byteLength: number; slice(start: number, end?: number): ArrayBuffer; }
export declare class DataView { constructor(buffer: ArrayBuffer); }
export declare class Uint8Array extends Array<number> {}
export interface Int8Array extends Array<number> {}
export interface Uint8ClampedArray extends Array<number> {}
export interface Int16Array extends Array<number> {}
export interface Uint16Array extends Array<number> {}
export interface Int32Array extends Array<number> {}
export interface Uint32Array extends Array<number> {}
export interface Float32Array extends Array<number> {}
export interface Float64Array extends Array<number> {}
export declare function structuredClone<T>(value: T): T;
export declare function setTimeout(f: (...args: any[]) => void, delay?: number, ...args: any[]): Timer;
export declare function setInterval(f: (...args: any[]) => void, delay?: number, ...args: any[]): Timer;
export declare function setImmediate(f: (...args: any[]) => void, ...args: any[]): Timer;
export declare function queueMicrotask(f: () => void): void;
export declare function requestAnimationFrame(f: (time: number) => void): number;
export interface Timer { ref(): this; unref(): this; }

// Utility types.
export type Partial<T> = T;
export type Required<T> = T;
export type Readonly<T> = T;
export type Pick<T, K> = T;
export type Omit<T, K> = T;
export type Exclude<T, U> = T;
export type Extract<T, U> = T;
export type NonNullable<T> = T;
export type NoInfer<T> = T;
export type Uppercase<T> = string;
export type Lowercase<T> = string;
export type Capitalize<T> = string;
export type Uncapitalize<T> = string;
export type Parameters<F> = any;
export type ConstructorParameters<F> = any;
export type ReturnType<F> = any;
export type InstanceType<C> = any;
export type Awaited<T> = any;
export type ThisType<T> = any;
export type ThisParameterType<F> = any;
export type OmitThisParameter<F> = F;
export interface Record<K, V> { [key: string]: V; }
export interface PropertyDescriptor { value: any; get: () => any; set: (value: any) => void; }

// What the browser gives, where a project derives from it or passes functions to it.
export declare class Event { constructor(type: string, options?: any); type: string; target: EventTarget; currentTarget: EventTarget; preventDefault(): void; stopPropagation(): void; }
export declare class CustomEvent<T> extends Event { detail: T; }
export declare class EventTarget {
  addEventListener(type: string, listener: ((event: Event) => void) | EventListenerObject, options?: any): void;
  removeEventListener(type: string, listener: ((event: Event) => void) | EventListenerObject, options?: any): void;
  dispatchEvent(event: Event): boolean;
}
export interface EventListenerObject { handleEvent(event: Event): void; }
export declare class Node extends EventTarget { childNodes: NodeListOf<Node>; parentNode: Node; parentElement: HTMLElement; ownerDocument: Document; textContent: string; }
export declare class Element extends Node { children: HTMLCollectionOf<Element>; classList: DOMTokenList; querySelector(selector: string): HTMLElement; querySelectorAll(selector: string): NodeListOf<HTMLElement>; closest(selector: string): HTMLElement; getBoundingClientRect(): DOMRect; }
export declare class HTMLElement extends Element { style: CSSStyleDeclaration; click(): void; focus(options?: any): void; blur(): void; }
export declare class Document extends Node { body: HTMLElement; documentElement: HTMLElement; activeElement: HTMLElement; createElement(name: string): HTMLElement; getElementById(id: string): HTMLElement; querySelector(selector: string): HTMLElement; querySelectorAll(selector: string): NodeListOf<HTMLElement>; }
export declare class DocumentFragment extends Node {}
export declare class DOMRect { x: number; y: number; width: number; height: number; top: number; left: number; right: number; bottom: number; }
export declare class DOMTokenList {}
export declare class CSSStyleDeclaration {}
export interface NodeListOf<T> extends Iterable<T> { length: number; [index: number]: T; item(index: number): T; forEach(f: (node: T, index: number) => void): void; }
export interface HTMLCollectionOf<T> extends Iterable<T> { length: number; [index: number]: T; item(index: number): T; }
export declare const document: Document;
export declare class AbortController { signal: AbortSignal; abort(reason?: any): void; }
export declare class AbortSignal extends EventTarget { aborted: boolean; reason: any; }
export declare class Headers implements Iterable<[string, string]> { constructor(headers?: any); [Symbol.iterator](): Iterator<[string, string]>; get(name: string): string; has(name: string): boolean; set(name: string, value: string): void; append(name: string, value: string): void; delete(name: string): void; forEach(f: (value: string, name: string) => void): void; }
export declare class Request { constructor(input: any, options?: any); headers: Headers; url: string; method: string; signal: AbortSignal; clone(): Request; json(): Promise<any>; text(): Promise<string>; }
export declare class Response { constructor(body?: any, options?: any); headers: Headers; ok: boolean; status: number; url: string; clone(): Response; json(): Promise<any>; text(): Promise<string>; blob(): Promise<Blob>; }
export declare class Blob { size: number; type: string; text(): Promise<string>; slice(start?: number, end?: number): Blob; }
export declare class File extends Blob { name: string; }
export declare class URL { constructor(url: string, base?: any); href: string; pathname: string; searchParams: URLSearchParams; toString(): string; }
export declare class URLSearchParams implements Iterable<[string, string]> { constructor(from?: any); [Symbol.iterator](): Iterator<[string, string]>; get(name: string): string; getAll(name: string): string[]; has(name: string): boolean; set(name: string, value: string): void; append(name: string, value: string): void; delete(name: string): void; entries(): Iterator<[string, string]>; keys(): Iterator<string>; values(): Iterator<string>; forEach(f: (value: string, name: string) => void): void; }
export declare function fetch(input: any, options?: any): Promise<Response>;
export declare class Buffer extends Uint8Array { static from(from: any, encoding?: string): Buffer; static alloc(size: number): Buffer; static concat(list: Buffer[]): Buffer; }

// What a JSX element is, whichever library makes it.
export interface ReactElement { type: any; props: any; key: any; }
