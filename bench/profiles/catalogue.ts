/** What carts hold and where they go: goods of an outdoor shop, addresses all over the United States. */

export interface Product {
  readonly name: string;
  readonly sku: string;
  readonly vendor: string;
  readonly grams: number;
  readonly price: number;
  readonly tags: string;
}

const product = (
  name: string,
  sku: string,
  vendor: string,
  grams: number,
  price: number,
  tags: string,
): Product => ({ name, sku, vendor, grams, price, tags });

export const PRODUCTS: readonly Product[] = [
  product('Merino blanket, fern green', 'HOME-BLANKET-GRN', 'Larkspur & Pine', 1350, 14900, 'textile, wool'),
  product('Two-person tent Tarn 2', 'TENT-TARN-2', 'Coldwater Gear', 2250, 32900, 'camping, oversized'),
  product('Canvas tarp 3 x 4 m', 'TARP-34-OLV', 'Coldwater Gear', 1850, 8900, 'camping'),
  product('Cast iron skillet 26 cm', 'IRON-SKIL-26', 'Ember Forge', 2400, 6400, 'kitchen, heavy'),
  product('Dutch oven 5 L', 'IRON-DUTCH-5', 'Ember Forge', 5900, 12900, 'kitchen, heavy'),
  product('Enamel mug, cream', 'MUG-ENAMEL-CRM', 'Hearth & Kiln Pottery', 180, 1400, 'tableware'),
  product(
    'Stoneware bowl, set of 4',
    'CERAM-BOWL-4',
    'Hearth & Kiln Pottery',
    2100,
    7200,
    'tableware, fragile',
  ),
  product('Glass carafe 1 L', 'GLASS-CARAFE-1', 'Hearth & Kiln Pottery', 900, 4500, 'tableware, fragile'),
  product('Gas canister 230 g', 'FUEL-CAN-230', 'Coldwater Gear', 380, 895, 'camping, hazmat'),
  product('Storm lighter', 'FUEL-LIGHTER', 'Coldwater Gear', 60, 2200, 'hazmat'),
  product('Down jacket, slate, M', 'JKT-DOWN-SLT-M', 'Larkspur & Pine', 480, 24900, 'clothing'),
  product('Rain shell, ochre, L', 'JKT-RAIN-OCH-L', 'Larkspur & Pine', 390, 18900, 'clothing, sale'),
  product('Wool socks, 2 pairs', 'SOCK-WOOL-2', 'Larkspur & Pine', 160, 3200, 'clothing, wool'),
  product('Felt hat, moss', 'HAT-FELT-MOS', 'Larkspur & Pine', 140, 7900, 'clothing, wool'),
  product('Trail shoes, 43', 'SHOE-TRAIL-43', 'Tamarack Works', 720, 13900, 'shoes'),
  product('Hiking poles, pair', 'POLE-CARBON-2', 'Tamarack Works', 420, 9900, 'camping'),
  product('Roof box 420 L', 'ROOFBOX-420', 'Tamarack Works', 18500, 54900, 'oversized'),
  product('Camp chair, folding', 'CHAIR-CAMP-1', 'Tamarack Works', 3200, 8400, 'camping, oversized'),
  product('Smoked salmon 250 g', 'SMOKE-SALMON-250', 'Cascade Smokehouse', 320, 2400, 'chilled, food'),
  product('Trail mix 500 g', 'FOOD-TRAIL-500', 'Cascade Smokehouse', 520, 1150, 'food'),
  product('Coffee beans, dark, 1 kg', 'COFFEE-DARK-1K', 'Nightjar Roasters', 1020, 3450, 'food, coffee'),
  product('French press 0.8 L', 'PRESS-08-GLASS', 'Nightjar Roasters', 820, 4800, 'coffee, fragile'),
  product('Hand grinder, walnut', 'GRIND-HAND-WAL', 'Nightjar Roasters', 640, 11900, 'coffee'),
  product('Topographic map, Cascades North', 'MAP-CASC-N', 'Meridian Press', 90, 1695, 'paper'),
  product('Field notebook, 3 pack', 'NOTE-FIELD-3', 'Meridian Press', 210, 1295, 'paper'),
  product('Headlamp 450 lm', 'LAMP-HEAD-450', 'Coldwater Gear', 95, 5900, 'battery'),
  product('Power bank 20 Ah', 'POWER-20AH', 'Coldwater Gear', 410, 7400, 'battery, hazmat'),
  product('Water filter, inline', 'FILTER-INLINE', 'Coldwater Gear', 70, 3900, 'camping'),
  product('Bottle, insulated, 750 ml', 'BOTTLE-INS-750', 'Larkspur & Pine', 380, 3400, 'kitchen'),
  product('Jalape\u00f1o hot sauce', 'SAUCE-JAL-150', 'Cascade Smokehouse', 290, 950, 'food'),
];

export interface Place {
  readonly city: string;
  readonly province: string;
  readonly postalPrefix: string;
}

const place = (city: string, province: string, postalPrefix: string): Place => ({
  city,
  province,
  postalPrefix,
});

export const PLACES: readonly Place[] = [
  place('Austin', 'TX', '787'),
  place('Portland', 'OR', '972'),
  place('Seattle', 'WA', '981'),
  place('Denver', 'CO', '802'),
  place('Chicago', 'IL', '606'),
  place('New York', 'NY', '100'),
  place('Brooklyn', 'NY', '112'),
  place('Boston', 'MA', '021'),
  place('Miami', 'FL', '331'),
  place('Atlanta', 'GA', '303'),
  place('Nashville', 'TN', '372'),
  place('Phoenix', 'AZ', '850'),
  place('San Diego', 'CA', '921'),
  place('Los Angeles', 'CA', '900'),
  place('San Francisco', 'CA', '941'),
  place('Salt Lake City', 'UT', '841'),
  place('Minneapolis', 'MN', '554'),
  place('Detroit', 'MI', '482'),
  place('Anchorage', 'AK', '995'),
  place('Fairbanks', 'AK', '997'),
  place('Honolulu', 'HI', '968'),
  place('Boise', 'ID', '837'),
  place('Omaha', 'NE', '681'),
  place('Albuquerque', 'NM', '871'),
];

export const PEOPLE: readonly string[] = [
  'Priya Natarajan',
  'Tom\u00e1s Herrera',
  'Ingrid Solberg',
  'Marcus Webb',
  'Aiko Tanaka',
  'Lena Fischer',
  'Daniel Okafor',
  'Grace Whitfield',
  'Samir Haddad',
  'Chloe Marchand',
  'Owen Gallagher',
  'Ruth Abrams',
];

export const STREETS: readonly string[] = [
  'Barton Springs Rd',
  'Alder Street',
  'Commerce Avenue',
  'Old Mill Lane',
  'Juniper Way',
  'Harbor Boulevard',
  'Second Avenue',
  'Quarry Road',
];
