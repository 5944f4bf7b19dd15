/** The shops of an operator: found, opened, made, put on a plan, connected with Shopify, deleted. */
import { Anchor, AppShell, Box, Button, Group, Menu } from '@mantine/core';
import IconBuildingStore from '@tabler/icons-react/icons/IconBuildingStore';
import IconLogout from '@tabler/icons-react/icons/IconLogout';
import { useEffect, useState } from 'react';
import type { CallFailure, CallOutcome } from '../../client/call-outcome.ts';
import { type Operator, useApp } from '../app-state.ts';
import { Brand } from '../frame/shell.tsx';
import { TextField } from '../parts/field.tsx';
import { Answered, Empty, FailureNotice, Notice } from '../parts/notice.tsx';
import { MoreMenu, Page } from '../parts/page.tsx';
import { DataTable } from '../parts/rows.tsx';
import { useAnswer } from '../parts/use-answer.ts';
import type { OperatedShop } from '../service.ts';
import { capitalized } from '../words.ts';
import { NewShop } from './new-shop.tsx';
import { SHOP_DIALOGS } from './shop-dialogs.tsx';

/** Rows of the list; more are found by a longer search. */
const SHOWN_MAX = 100;
const TYPING_MS = 150;

interface Found {
  readonly shops: readonly OperatedShop[];
  readonly isMore: boolean;
  /** Why shops cannot be read. */
  readonly damaged: readonly string[];
}

/** A page of a search may be short, or empty, before the last one. */
async function find(
  calls: Operator['calls'],
  search: string,
  signal: AbortSignal,
): Promise<CallOutcome<Found>> {
  const shops: OperatedShop[] = [];
  const damaged: string[] = [];
  const text = search.trim();
  let query: NonNullable<Parameters<typeof calls.listShops>[0]>['query'] = {
    limit: SHOWN_MAX,
    ...(text === '' ? {} : { search: text }),
  };
  for (;;) {
    const page = await calls.listShops({ query, signal });
    if (!page.ok) return page;
    shops.push(...page.value.shops);
    damaged.push(...page.value.damaged.map(({ message }) => message));
    const cursor = page.value.nextCursor;
    if (cursor === null || shops.length >= SHOWN_MAX)
      return { ...page, value: { shops: shops.slice(0, SHOWN_MAX), isMore: cursor !== null, damaged } };
    query = { ...query, cursor };
  }
}

export function ShopsPage() {
  const app = useApp();
  const { value: operator } = app.operator;
  const [search, setSearch] = useState('');
  const [isNew, setNew] = useState(false);
  const [failure, setFailure] = useState<CallFailure | null>(null);
  const answer = useAnswer<Found>(
    async (signal) => {
      if (operator === null) throw new Error('the list is shown to an operator only');
      return find(operator.calls, search, signal);
    },
    [operator, search],
    search === '' ? 0 : TYPING_MS,
  );
  useEffect(() => {
    document.title = 'Shops – Ratewright';
  }, []);
  const open = async (id: string): Promise<void> => setFailure(await app.openShop(id));
  return (
    <AppShell header={{ height: 52 }}>
      <Group component={AppShell.Header} className="top-bar" wrap="nowrap" px="md" c="var(--accent)">
        <Brand />
        <Button variant="subtle" color="gray" ml="auto" onClick={() => app.signOut()}>
          <IconLogout size={18} aria-hidden="true" />
          <Box ml="xs">Sign out</Box>
        </Button>
      </Group>
      <AppShell.Main>
        <div className="page">
          <Page
            title="Shops"
            description="You are signed in with the operator’s key: it opens every shop. The history of a shop names the operator for what you change there."
            action={
              <Button variant="filled" onClick={() => setNew(true)}>
                New shop
              </Button>
            }
            isBusy={answer.isLoading}
          >
            {app.drafts.size === 0 ? null : (
              <Notice kind="warning">
                What you typed in the shop that was open is not saved. It is still there; opening another shop
                drops it.
              </Notice>
            )}
            <FailureNotice failure={failure} />
            <Answered answer={answer} what="the shops">
              {({ shops, isMore, damaged }) =>
                shops.length === 0 && damaged.length === 0 && search === '' ? (
                  <Empty
                    title="No shop yet"
                    icon={<IconBuildingStore size={22} />}
                    sentence="A shop has its own methods, zones and keys."
                  >
                    <Button variant="filled" onClick={() => setNew(true)}>
                      Make the first shop
                    </Button>
                  </Empty>
                ) : (
                  <>
                    <TextField
                      className="find-shop"
                      label="Find a shop"
                      type="search"
                      placeholder="Part of its name"
                      value={search}
                      onValue={setSearch}
                    />
                    {damaged.map((message) => (
                      <Notice key={message} kind="bad">
                        {capitalized(message)}
                      </Notice>
                    ))}
                    {shops.length === 0 || operator === null ? (
                      <p role="status">No shop has “{search}” in its name.</p>
                    ) : (
                      <ShopTable {...{ shops, operator }} onOpen={open} />
                    )}
                    {isMore ? <p className="quiet">There are more: type part of a name.</p> : null}
                  </>
                )
              }
            </Answered>
          </Page>
        </div>
      </AppShell.Main>
      {isNew ? <NewShop onClose={() => setNew(false)} /> : null}
    </AppShell>
  );
}

/** Not shown in a narrow window. */
const WIDE = 'mantine-visible-from-sm';

interface ShopTableProps {
  readonly shops: readonly OperatedShop[];
  readonly operator: Operator;
  readonly onOpen: (id: string) => void;
}

function ShopTable({ shops, operator, onOpen }: ShopTableProps) {
  const { isDeveloper } = useApp();
  const [asked, setAsked] = useState<readonly [kind: keyof typeof SHOP_DIALOGS, shop: OperatedShop]>();
  const Asked = asked && SHOP_DIALOGS[asked[0]];
  return (
    <div className="panel">
      <DataTable
        label="Shops"
        rows={shops}
        keyOf={({ id }) => id}
        columns={[
          [
            'Shop',
            ({ id, name }) => (
              <Group gap="xs">
                <Anchor component="button" type="button" ta="left" inherit onClick={() => onOpen(id)}>
                  {name}
                </Anchor>
                {isDeveloper.value ? <code className="quiet">{id}</code> : null}
              </Group>
            ),
          ],
          ['Plan', ({ plan }) => capitalized(plan)],
          ['Currency', ({ currency }) => currency, WIDE],
          ['Time zone', ({ timezone }) => timezone.replaceAll('_', ' '), WIDE],
          [
            'Shopify',
            ({ hasShopifySecret }) =>
              hasShopifySecret ? <span className="badge good">connected</span> : '–',
            WIDE,
          ],
          ['Keys', ({ keys }) => keys, `amount ${WIDE}`],
          ['Versions', ({ version }) => version, `amount ${WIDE}`],
          [
            'Actions',
            (shop) => (
              <MoreMenu label={`More about ${shop.name}`}>
                <Menu.Item onClick={() => onOpen(shop.id)}>Open</Menu.Item>
                <Menu.Item onClick={() => setAsked(['plan', shop])}>Change the plan…</Menu.Item>
                <Menu.Item onClick={() => setAsked(['secret', shop])}>Shopify secret…</Menu.Item>
                <Menu.Item color="red" onClick={() => setAsked(['delete', shop])}>
                  Delete…
                </Menu.Item>
              </MoreMenu>
            ),
          ],
        ]}
      />
      {asked && Asked ? (
        <Asked {...{ operator, shop: asked[1] }} onClose={() => setAsked(undefined)} />
      ) : null}
    </div>
  );
}
