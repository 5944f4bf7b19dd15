/** The authority in memory keeps the promises of the port. */
import { FakeAuthority } from '../support/fake-authority.ts';
import { FakeDatabase } from '../support/fake-database.ts';
import { describeAuthority } from './authority-contract.ts';

const database = new FakeDatabase();
describeAuthority('memory', { open: async () => new FakeAuthority(database) });
