// Node's event emitter. From https://nodejs.org/api/events.html.
export declare class EventEmitter {
  on(event: any, listener: (...args: any[]) => void): this;
  once(event: any, listener: (...args: any[]) => void): this;
  off(event: any, listener: (...args: any[]) => void): this;
  addListener(event: any, listener: (...args: any[]) => void): this;
  removeListener(event: any, listener: (...args: any[]) => void): this;
  prependListener(event: any, listener: (...args: any[]) => void): this;
  removeAllListeners(event?: any): this;
  emit(event: any, ...args: any[]): boolean;
  setMaxListeners(count: number): this;
  listenerCount(event: any): number;
  static EventEmitter: typeof EventEmitter;
}
export default EventEmitter;
