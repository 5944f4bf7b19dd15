import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { postalOwnersOf } from '../../../src/engine/compile/postal-owners.ts';
import { canonicalPostalCode, postalFormOf } from '../../../src/engine/domain/postal-code.ts';
import { postalTrial } from '../../../src/front/console/zones/postal-trial.ts';

test('a typed code names the pattern that decides, and a pattern with a fault decides nothing', () => {
  const find = postalTrial('US', [{ postalCodes: '972*, 97300-97399, 9*7' }, { postalCodes: '97330, 973*' }]);
  assert.deepEqual(find('97330-1234'), {
    code: '97330',
    by: { subzone: 1, text: '97330', kind: 'exact' },
  });
  assert.deepEqual(find(' 97331 ').by, { subzone: 0, text: '97300-97399', kind: 'range' });
  assert.deepEqual(find('97201').by, { subzone: 0, text: '972*', kind: 'prefix' });
  assert.equal(find('10001').by, null);
  assert.equal(find('').by, null);
});

test('a code reaches the same subzone in the page as in the service', () => {
  const pattern = fc.constantFrom(
    '1*',
    '12*',
    '12',
    '123',
    '10-19',
    '100-199',
    '*',
    'PA6 *',
    'PA67',
    'pa6 7ln',
  );
  const subzones = fc.array(
    fc.record({ postalCodes: fc.array(pattern, { maxLength: 4 }).map((list) => list.join(', ')) }),
    { maxLength: 4 },
  );
  const codes = fc.constantFrom('12', '123', '15', '1', 'PA6 7LN', 'PA67LN', '9', '');
  fc.assert(
    fc.property(subzones, codes, fc.constantFrom('US', 'GB', 'DE'), (list, code, country) => {
      const form = postalFormOf(country);
      const owner = postalOwnersOf(list, form).find(canonicalPostalCode(form, code));
      assert.equal(postalTrial(country, list)(code).by?.subzone ?? -1, owner);
    }),
  );
});
