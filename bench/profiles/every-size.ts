/** The profiles of what is measured by the size of a shop: the demo shop, six methods, 1,000 methods, postal patterns. */
import type { Effort } from '../effort.ts';
import { makeDemo } from './demo.ts';
import { makeLarge } from './large.ts';
import { makePostal } from './postal.ts';
import type { Profile } from './profile.ts';
import { makeSmall } from './small.ts';
import { makeTypical } from './typical.ts';

export const makeEverySize = ({ postalPatterns }: Effort): readonly Profile[] => [
  makeDemo(),
  makeSmall(),
  makeTypical(),
  makeLarge(),
  makePostal(postalPatterns.at(-1) ?? 0),
];
