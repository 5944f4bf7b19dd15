/**
 * Guards of the whole process: what a bug elsewhere, in our code or in a dependency, can then not be used
 * for. They are put up once, no request passes through them. Each can be put up twice.
 *
 * Flags of Node would do the same from outside, but only for who remembers to give them, and
 * `--disallow-code-generation-from-strings` forbids what happens before the first request as well: the store
 * would not load and the checks of bodies would not be compiled.
 */

/**
 * Takes the accessor `__proto__` away (as `--disable-proto=delete` does) and lets no property be added to
 * `Object.prototype`: data that was merged without care changes one object at most, not every one.
 */
export function closeObjectPrototype(): void {
  Reflect.deleteProperty(Object.prototype, '__proto__');
  Object.preventExtensions(Object.prototype);
}

/** Of each kind of function, to get at its constructor: all but the first have no name of their own. */
const FUNCTIONS: readonly object[] = [() => {}, async () => {}, function* () {}, async function* () {}];

/**
 * From here on no text becomes code in this thread: `eval` and the constructors of functions throw. To be
 * called when all that compiles has done so.
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

/** A signal to the process does not open the debugger, which Node's own handler of SIGUSR1 would do. */
export function keepDebuggerClosed(): void {
  process.on('SIGUSR1', () => {});
}
