/** Routes of the pages that the service brings: a public GET without parameters. */
import Type from '#typebox';
import type { ContentType } from '../output.ts';
import type { PublicRoute } from '../route.ts';

interface PagePart {
  readonly name: string;
  readonly path: string;
  readonly type: ContentType;
  readonly summary: string;
  readonly handle: PublicRoute['handle'];
}

export const pagePartRoute = ({ path, ...part }: PagePart): PublicRoute => ({
  ...part,
  kind: 'public',
  verb: 'GET',
  paths: [path],
  tag: 'Operations',
  query: {},
  success: { status: 200, description: 'The text', schema: Type.String(), example: '' },
});
