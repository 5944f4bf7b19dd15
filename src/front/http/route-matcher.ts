/** Finds the route of a request by its verb and path. */
import { valueAt } from '../../base/runtime/map-entries.ts';
import { ID_SEGMENT, isForOperators, OPERATED_SHOPS, type Route, SHOP_SEGMENT, type Verb } from './route.ts';

export interface RouteMatch {
  readonly route: Route;
  /** The segment with the id, still encoded; null when the path has none. */
  readonly idSegment: string | null;
  /** The segment with the shop that an operator names, still encoded; null when the path has none. */
  readonly shopSegment: string | null;
}

const OPERATED_SHOP = OPERATED_SHOPS + SHOP_SEGMENT;
const OPERATED_PATH = new RegExp(`^${OPERATED_SHOPS}([^/]+)(/.*)?$`);
/** The routes of a shop begin with it; an alias that does not is none for operators. */
const API = '/api/';

/** Finds the route of a verb and a path; that of HEAD is the route of GET. */
export type RouteMatcher = (verb: string, path: string) => RouteMatch | undefined;

/** In the order in which the header `Allow` lists them. */
const ANSWERED_VERBS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'] as const satisfies readonly (Verb | 'HEAD')[];

/** The verbs that a path answers; none for an unknown path. */
export const verbsAt = (match: RouteMatcher, path: string): readonly string[] =>
  ANSWERED_VERBS.filter((verb) => match(verb, path) !== undefined);

/**
 * A path is literal or ends with the segment of an id, so a lookup reads at most two maps, however many routes there
 * are. A path of operators about one shop is found by what follows the shop: a row of its own, or one of the shop's API.
 * Without operators it is as if they had no paths. Throws when two rows have the same verb and path, which is a bug in the table.
 */
export function createRouteMatcher(all: readonly Route[], hasOperators = true): RouteMatcher {
  const routes = hasOperators ? all : all.filter((route) => !isForOperators(route));
  const literal = new Map<string, Map<string, RouteMatch>>();
  const withId = new Map<string, Map<string, Route>>();
  const ofOperators = new Map<string, Map<string, Route>>();
  const claim = <T>(map: Map<string, Map<string, T>>, verb: string, path: string, value: T): void => {
    const byPath = valueAt(map, verb, () => new Map<string, T>());
    if (byPath.has(path)) throw new Error(`two routes for ${verb} ${path}`);
    byPath.set(path, value);
  };
  for (const route of routes) {
    for (const path of route.paths) {
      if (path.startsWith(OPERATED_SHOP)) {
        claim(ofOperators, route.verb, path.slice(OPERATED_SHOP.length), route);
      } else if (path.endsWith(`/${ID_SEGMENT}`)) {
        claim(withId, route.verb, path.slice(0, -ID_SEGMENT.length), route);
      } else {
        claim(literal, route.verb, path, { route, idSegment: null, shopSegment: null });
      }
    }
  }
  const find: RouteMatcher = (verb, path) => {
    const match = literal.get(verb)?.get(path);
    if (match !== undefined) return match;
    const split = path.lastIndexOf('/') + 1;
    const route = withId.get(verb)?.get(path.slice(0, split));
    if (route === undefined || split === path.length) return undefined;
    return { route, idSegment: path.slice(split), shopSegment: null };
  };
  const findOperated: RouteMatcher = (verb, path) => {
    const [, shopSegment = '', rest = ''] = OPERATED_PATH.exec(path) ?? [];
    if (shopSegment === '') return undefined;
    const route = ofOperators.get(verb)?.get(rest);
    if (route !== undefined) return { route, idSegment: null, shopSegment };
    const inner = rest.startsWith(API) ? find(verb, rest) : undefined;
    return inner?.route.kind === 'shop' ? { ...inner, shopSegment } : undefined;
  };
  return (asked, path) => {
    const verb = asked === 'HEAD' ? 'GET' : asked;
    const found = find(verb, path);
    return found === undefined && hasOperators && path.startsWith(OPERATED_SHOPS)
      ? findOperated(verb, path)
      : found;
  };
}
