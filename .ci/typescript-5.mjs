// Loaded before openapi-typescript: it prints types with the library of TypeScript 5, which TypeScript 7, the compiler of
// this project, no longer has. Whatever asks for `typescript` in such a process gets the package `typescript-5`.
import module from 'node:module';

const resolve = (name, context, next) => next(name === 'typescript' ? 'typescript-5' : name, context);
// Node 20 has only `register`, of which Node 26 warns.
if (module.registerHooks === undefined) {
  module.register(`data:text/javascript,${encodeURIComponent(`export const resolve = ${resolve};`)}`);
} else {
  module.registerHooks({ resolve });
}
