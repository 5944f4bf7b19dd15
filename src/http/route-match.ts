/**
 * From verb and path to the row of the route table. A path is literal or ends in one segment that takes an id, so a
 * lookup reads at most two maps, however many routes there are.
 */
import { ID_SEGMENT, type Route, type Verb } from './route.ts';

export interface RouteMatch {
  readonly route: Route;
  /** The segment in the place of the id, still encoded; null when the path has no such place. */
  readonly idSegment: string | null;
}

/** HEAD is answered by the row of GET. */
export type RouteMatcher = (verb: string, path: string) => RouteMatch | undefined;

/** Every verb that a row can answer, as the header `Allow` lists them. */
const ANSWERED_VERBS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'] as const satisfies readonly (Verb | 'HEAD')[];

/** The verbs that a path answers; none for a path that leads nowhere. */
export const verbsAt = (match: RouteMatcher, path: string): readonly string[] =>
  ANSWERED_VERBS.filter((verb) => match(verb, path) !== undefined);

/** Throws when two rows claim the same verb and path: that is a bug in the table. */
export function createRouteMatcher(routes: readonly Route[]): RouteMatcher {
  const literal = new Map<string, Map<string, RouteMatch>>();
  const withId = new Map<string, Map<string, Route>>();
  const claim = <T>(map: Map<string, Map<string, T>>, verb: string, path: string, value: T): void => {
    const byPath = map.get(verb) ?? new Map<string, T>();
    if (byPath.has(path)) throw new Error(`two routes for ${verb} ${path}`);
    map.set(verb, byPath.set(path, value));
  };
  for (const route of routes) {
    for (const path of route.paths) {
      if (path.endsWith(`/${ID_SEGMENT}`)) {
        claim(withId, route.verb, path.slice(0, -ID_SEGMENT.length), route);
      } else {
        claim(literal, route.verb, path, { route, idSegment: null });
      }
    }
  }
  return (asked, path) => {
    const verb = asked === 'HEAD' ? 'GET' : asked;
    const match = literal.get(verb)?.get(path);
    if (match !== undefined) return match;
    const split = path.lastIndexOf('/') + 1;
    const route = withId.get(verb)?.get(path.slice(0, split));
    return route === undefined || split === path.length ? undefined : { route, idSegment: path.slice(split) };
  };
}
