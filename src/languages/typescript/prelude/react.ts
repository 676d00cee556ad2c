// What React gives to functions and components that pass through it. From https://react.dev/reference/react.
import * as self from 'react';
export default self;

export type ReactNode = any;
export type Key = string | number;
export type Dispatch<A> = (action: A) => void;
export type SetStateAction<S> = S | ((before: S) => S);
export interface MutableRefObject<T> { current: T; }
export interface RefObject<T> { current: T; }
export type Ref<T> = RefObject<T>;
export type ForwardedRef<T> = RefObject<T>;
export type LegacyRef<T> = RefObject<T>;
export type PropsWithChildren<P> = P;
export type PropsWithRef<P> = P;
export type FC<P> = (props: P) => ReactElement;
export type FunctionComponent<P> = (props: P) => ReactElement;
export type VFC<P> = (props: P) => ReactElement;
export type ComponentType<P> = (props: P) => ReactElement;
export type EffectCallback = () => any;
export type Reducer<S, A> = (state: S, action: A) => S;
export interface ReactElement { type: any; props: any; key: Key; }
export interface Context<T> { Provider: (props: { value: T; children?: ReactNode }) => ReactElement; Consumer: (props: { children: (value: T) => ReactNode }) => ReactElement; displayName: string; }
export declare class Component<P, S> {
  constructor(props: P);
  props: P;
  state: S;
  context: any;
  refs: any;
  setState(state: any, done?: () => void): void;
  forceUpdate(done?: () => void): void;
}
export declare class PureComponent<P, S> extends Component<P, S> {}
export declare function createContext<T>(value: T): Context<T>;
export declare function createRef<T>(): RefObject<T>;
export declare function forwardRef<T, P>(render: (props: P, ref: ForwardedRef<T>) => ReactElement): (props: P) => ReactElement;
export declare function lazy<T>(load: () => Promise<{ default: T }>): T;
export declare function memo<T>(component: T, equal?: (before: any, after: any) => boolean): T;
export declare function startTransition(f: () => void): void;
export declare function use<T>(from: Context<T> | Promise<T>): T;
export declare function useCallback<F>(f: F, deps?: any): F;
export declare function useContext<T>(context: Context<T>): T;
export declare function useDeferredValue<T>(value: T): T;
export declare function useEffect(f: EffectCallback, deps?: any): void;
export declare function useLayoutEffect(f: EffectCallback, deps?: any): void;
export declare function useInsertionEffect(f: EffectCallback, deps?: any): void;
export declare function useImperativeHandle<T>(ref: Ref<T>, create: () => T, deps?: any): void;
export declare function useMemo<T>(make: () => T, deps?: any): T;
export declare function useReducer<S, A>(reducer: (state: S, action: A) => S, initial: S, make?: any): [S, (action: A) => void];
export declare function useRef<T>(value?: T | null): MutableRefObject<T>;
export declare function useState<S>(initial?: S | (() => S)): [S, (value: S | ((before: S) => S)) => void];
export declare function useSyncExternalStore<T>(subscribe: (done: () => void) => any, snapshot: () => T, server?: () => T): T;
export declare function useTransition(): [boolean, (f: () => void) => void];
