/**
 * Guards of the whole process that limit what a bug in our code or in a dependency can be exploited for. They are set up
 * once and cost requests nothing; setting one up twice is harmless.
 *
 * Flags of Node do the same only for operators who remember them, and `--disallow-code-generation-from-strings` forbids
 * too much: the store would not load and the checks of bodies would not be compiled.
 */

/**
 * Removes the accessor `__proto__` (as `--disable-proto=delete` does) and freezes `Object.prototype`: carelessly merged
 * data changes one object at most, not all of them.
 */
export function closeObjectPrototype(): void {
  Reflect.deleteProperty(Object.prototype, '__proto__');
  Object.preventExtensions(Object.prototype);
}

/** One function of each kind, to reach its constructor: only the first kind's has a global name. */
const FUNCTIONS: readonly object[] = [() => {}, async () => {}, function* () {}, async function* () {}];

/**
 * From now on no text becomes code in this thread: `eval` and the constructors of functions throw. To be called after
 * everything that compiles has done so.
 */
export function refuseCodeFromText(): void {
  const refuse = (): never => {
    throw new EvalError('no text becomes code once the service runs');
  };
  for (const sample of FUNCTIONS) {
    const prototype = Object.getPrototypeOf(sample) as { readonly constructor: object };
    // A proxy, so that `instanceof` goes on to work.
    const value = new Proxy(prototype.constructor, { apply: refuse, construct: refuse });
    Object.defineProperty(prototype, 'constructor', { value });
  }
  globalThis.Function = Object.getPrototypeOf(refuse).constructor as FunctionConstructor;
  globalThis.eval = refuse;
}

/** SIGUSR1 no longer opens the debugger, as Node's own handler would. */
export function keepDebuggerClosed(): void {
  process.on('SIGUSR1', () => {});
}
