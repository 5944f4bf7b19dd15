/**
 * Guards of the whole process that limit the effect of an exploited bug in our code or in a dependency. They are set up
 * once, add no cost to requests, and may be set up twice.
 *
 * Not done by flags of Node, because operators forget flags, and `--disallow-code-generation-from-strings` forbids too
 * much: the store would not load, and the schema checks could not be compiled.
 */

/**
 * Removes the accessor `__proto__` (as `--disable-proto=delete` does) and allows no new fields on `Object.prototype`,
 * so that carelessly merged data changes at most one object, not all objects.
 */
export function closeObjectPrototype(): void {
  Reflect.deleteProperty(Object.prototype, '__proto__');
  Object.preventExtensions(Object.prototype);
}

/** One function of each kind, to get its constructor; only the constructor of the first kind has a global name. */
const FUNCTIONS: readonly object[] = [() => {}, async () => {}, function* () {}, async function* () {}];

/**
 * Disables the execution of text as code in this thread: `eval` and the constructors of functions throw. Call it after
 * everything that compiles text has done so.
 */
export function refuseCodeFromText(): void {
  const refuse = (): never => {
    throw new EvalError('the running service does not execute text as code');
  };
  for (const sample of FUNCTIONS) {
    const prototype = Object.getPrototypeOf(sample) as { readonly constructor: object };
    // A proxy, so that `instanceof` still works.
    const value = new Proxy(prototype.constructor, { apply: refuse, construct: refuse });
    Object.defineProperty(prototype, 'constructor', { value });
  }
  globalThis.Function = Object.getPrototypeOf(refuse).constructor as FunctionConstructor;
  globalThis.eval = refuse;
}

/** Replaces Node's handler of SIGUSR1, which opens the debugger. */
export function keepDebuggerClosed(): void {
  process.on('SIGUSR1', () => {});
}
