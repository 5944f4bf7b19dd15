/** The base price of a method in the table: a flat price becomes a field when it is pressed. */
import { Table, UnstyledButton } from '@mantine/core';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { formatMoney } from '../amounts.ts';
import { useSignedIn } from '../app-state.ts';
import { MoneyField } from '../parts/number-field.tsx';
import type { Method } from './method-kind.ts';

interface PriceCellProps {
  readonly method: Method;
  readonly text: string;
  readonly isEditable: boolean;
  readonly newPrice: number | null;
  /** Null: as it is saved. */
  readonly onPrice: (price: number | null) => void;
}

export function PriceCell({ method, text, isEditable, newPrice, onPrice }: PriceCellProps) {
  const { currency } = useSignedIn().shop;
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState(0);
  const cell = useRef<HTMLTableCellElement>(null);
  const { name } = method;
  useEffect(() => {
    if (isOpen) cell.current?.querySelector('input')?.select();
  }, [isOpen]);
  if (!isEditable || method.rateType !== 'flat')
    return <Table.Td className="col-price amount">{text}</Table.Td>;
  /** A text that is no value keeps the field open. */
  const close = (): boolean => {
    const isGood = cell.current?.querySelector('input:invalid') === null;
    if (isGood) setOpen(false);
    return isGood;
  };
  const open = (saved: number): void => {
    setTyped(newPrice ?? saved);
    setOpen(true);
  };
  /** While the text is no price, none of what it was before is kept for the save. */
  const dropUnreadable = (): void => {
    setTimeout(() => {
      if (cell.current?.querySelector('input:invalid')) onPrice(null);
    });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') {
      event.stopPropagation();
      onPrice(null);
      setOpen(false);
    }
    if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return;
    event.preventDefault();
    // As in a spreadsheet: the price of the row below is next.
    const next =
      cell.current?.parentElement?.nextElementSibling?.querySelector<HTMLElement>('.col-price button');
    if (close()) next?.click();
  };
  return (
    <Table.Td
      ref={cell}
      className="col-price amount"
      onInput={dropUnreadable}
      onKeyDown={onKeyDown}
      onBlur={({ relatedTarget }) => {
        if (!(relatedTarget instanceof Node) || cell.current?.contains(relatedTarget) !== true) close();
      }}
    >
      {isOpen ? (
        <MoneyField
          className="cell"
          label={`Price of ${name}`}
          value={typed}
          onValue={(price) => {
            setTyped(price);
            onPrice(price);
          }}
        />
      ) : (
        <UnstyledButton
          className="edit-price"
          aria-label={`Change the price of ${name}, ${text}`}
          onClick={() => open(method.config.price)}
        >
          {newPrice === null ? (
            text
          ) : (
            <>
              <del className="quiet">{text}</del> <strong>{formatMoney(newPrice, currency)}</strong>
            </>
          )}
        </UnstyledButton>
      )}
    </Table.Td>
  );
}
