/**
 * Texts that are the same for every client: the pages, their parts, and the OpenAPI document. Each is compressed once for
 * each encoding, beside the event loop, when the first client asks for it, and kept.
 */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, gzip, constants as zlib } from 'node:zlib';
import { type Outcome, success } from '../../engine/domain/failure.ts';
import { type Answer, answerLater, type BytesAnswer } from './answer.ts';
import { namesTag } from './entity-tag.ts';
import type { ContentType, Headers } from './output.ts';
import type { RequestHead } from './request-head.ts';

const [toBrotli, toGzip] = [promisify(brotliCompress), promisify(gzip)];

/** The best quality takes ten times as long, and saves a tenth. */
const BROTLI_QUALITY = 9;

interface Coding {
  /** In `Accept-Encoding` and `Content-Encoding`. */
  readonly name: string;
  readonly encode: (bytes: Uint8Array) => Promise<Uint8Array>;
}

/** The most compact first. */
const CODINGS: readonly Coding[] = [
  {
    name: 'br',
    encode: (bytes) =>
      toBrotli(bytes, {
        params: { [zlib.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY, [zlib.BROTLI_PARAM_SIZE_HINT]: bytes.length },
      }),
  },
  { name: 'gzip', encode: (bytes) => toGzip(bytes, { level: zlib.Z_BEST_COMPRESSION }) },
];

/** True when `header` accepts the encoding; `*` and weights other than 0 are ignored. */
const accepts = (header: string, coding: string): boolean =>
  header.split(',').some((entry) => {
    const [name = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase());
    return name === coding && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
  });

/** Kept by clients, which ask each time whether it is current. */
const REVALIDATED: Headers = [['Cache-Control', 'no-cache']];

export class StaticText {
  readonly #type: ContentType;
  readonly #read: () => string | Uint8Array;
  readonly #headers: Headers;
  #made: { readonly bytes: Uint8Array; readonly tag: string } | null = null;
  /** By encoding; a promise while it is made. */
  readonly #encoded = new Map<string, Uint8Array | Promise<Uint8Array>>();

  /** `read` is called once. `headers` may name another `Cache-Control`. */
  constructor(type: ContentType, read: () => string | Uint8Array, headers: Headers = []) {
    this.#type = type;
    this.#read = read;
    this.#headers = [...(headers.some(([name]) => name === 'Cache-Control') ? [] : REVALIDATED), ...headers];
  }

  answer({
    acceptEncoding,
    ifNoneMatch,
  }: Pick<RequestHead, 'acceptEncoding' | 'ifNoneMatch'>): Outcome<Answer<BytesAnswer>> {
    const { bytes, tag } = this.#text();
    const coding = CODINGS.find(({ name }) => accepts(acceptEncoding, name));
    // Each encoding has a tag of its own, because its bytes differ.
    const ownTag = coding === undefined ? tag : `${tag}-${coding.name}`;
    const headers: Headers = [...this.#headers, ['Vary', 'Accept-Encoding'], ['ETag', `"${ownTag}"`]];
    if (ifNoneMatch !== null && namesTag(ifNoneMatch, ownTag)) return this.#sent(304, null, headers);
    if (coding === undefined) return this.#sent(200, bytes, headers);
    const coded: Headers = [...headers, ['Content-Encoding', coding.name]];
    const encoded = this.#encoded.get(coding.name) ?? this.#encode(coding, bytes);
    if (!(encoded instanceof Promise)) return this.#sent(200, encoded, coded);
    return answerLater(encoded.then((made) => () => this.#sent(200, made, coded)));
  }

  #sent(status: number, body: Uint8Array | null, headers: Headers): Outcome<BytesAnswer> {
    return success({ kind: 'bytes', status, type: this.#type, body, headers });
  }

  #text() {
    if (this.#made !== null) return this.#made;
    const bytes = Buffer.from(this.#read());
    this.#made = { bytes, tag: createHash('sha256').update(bytes).digest('base64url').slice(0, 22) };
    return this.#made;
  }

  #encode({ name, encode }: Coding, bytes: Uint8Array): Promise<Uint8Array> {
    const making = encode(bytes).then((made) => {
      this.#encoded.set(name, made);
      return made;
    });
    this.#encoded.set(name, making);
    return making;
  }
}
