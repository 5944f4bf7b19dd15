// Loaded before openapi-typescript: it prints types with the library of TypeScript 5, which TypeScript 7, the compiler of
// this project, no longer has. Whatever asks for `typescript` in such a process gets the package `typescript-5`.
import { register } from 'node:module';

const hooks = `export const resolve = (name, context, next) =>
  next(name === 'typescript' ? 'typescript-5' : name, context);`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
