/** Whether two objects share one hidden class of the engine. */
import { setFlagsFromString } from 'node:v8';
import { runInThisContext } from 'node:vm';

setFlagsFromString('--allow-natives-syntax');

export const haveSameShape = runInThisContext('(a, b) => %HaveSameMap(a, b)') as (
  a: object,
  b: object,
) => boolean;
