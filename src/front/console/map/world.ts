/** The outlines of countries as paths of a drawing. A part of its own, because it is as large as the rest of a page. */
import {
  type ExtendedFeature,
  type ExtendedFeatureCollection,
  type GeoGeometryObjects,
  geoEqualEarth,
  geoPath,
} from 'd3-geo';
import codes from 'i18n-iso-countries/codes.json';
import { feature } from 'topojson-client';
import atlas from 'world-atlas/countries-110m.json';

export const [WIDTH, HEIGHT] = [960, 440];
/** The atlas has no number for it. */
const KOSOVO = 'Kosovo';
const ANTARCTICA = 'AQ';

export interface Outline {
  readonly code: string;
  readonly path: string;
}

type Country = ExtendedFeature<GeoGeometryObjects, { readonly name: string }>;
const world = feature(atlas as never, atlas.objects.countries as never) as unknown;
const codeOf = (id: string): string | undefined => codes.find(([, , number]) => number === id)?.[0];

/** Without Antarctica, where nobody lives who orders. */
const countries = (world as ExtendedFeatureCollection<Country>).features
  .map((country) => ({
    ...country,
    code: codeOf(String(country.id)) ?? (country.properties.name === KOSOVO ? 'XK' : country.properties.name),
  }))
  .filter(({ code }) => code !== ANTARCTICA);

/** All outlines, scaled so that those of `shown` fill the drawing; the world where it has none of them. */
export function outlinesOf(shown: ReadonlySet<string> | null): readonly Outline[] {
  const chosen = countries.filter(({ code }) => shown?.has(code));
  const features = chosen.length > 0 ? chosen : countries;
  const path = geoPath(
    geoEqualEarth().fitExtent(
      [
        [4, 4],
        [WIDTH - 4, HEIGHT - 4],
      ],
      { type: 'FeatureCollection', features },
    ),
  ).digits(1);
  return countries.map((country) => ({ code: country.code, path: path(country) ?? '' }));
}
