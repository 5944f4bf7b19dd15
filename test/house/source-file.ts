/**
 * Source files as the house tests see them: comments, string contents and code told apart by one scan, and
 * the modules that a file names. Not a parser: a regular expression is known by what stands before it.
 */
import { filesBelow, readText } from './project-files.ts';

export interface ModuleReference {
  /** As written. */
  readonly specifier: string;
  readonly kind: 'static' | 'dynamic' | 'require' | 'url';
}

export interface SourceFile {
  /** Relative to the project, with `/`. */
  readonly path: string;
  readonly text: string;
  /** The text with comments and the content of strings, templates and regular expressions blanked. */
  readonly bare: string;
  /** The text with everything but the comments blanked. */
  readonly remarks: string;
  readonly strings: readonly string[];
  readonly modules: readonly ModuleReference[];
}

export const sourceFilesBelow = (folder: string): SourceFile[] =>
  filesBelow(folder)
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => scanSource(path, readText(path)));

interface Segment {
  readonly kind: 'code' | 'comment' | 'string' | 'template' | 'pattern';
  readonly text: string;
}

const PATTERN_MAY_FOLLOW =
  /(?:^|[([{},;=:!&|?+\-*%<>~^]|\b(?:return|typeof|case|in|of|delete|void|throw|new|else|do|await|yield))$/;

/** What a segment that starts at `at` is, given the code before it; code goes on until something else starts. */
function kindAt(text: string, at: number, before: string): Segment['kind'] {
  const char = text[at];
  if (char === "'" || char === '"') return 'string';
  if (char === '`') return 'template';
  if (char !== '/') return 'code';
  if (text[at + 1] === '/' || text[at + 1] === '*') return 'comment';
  // The ends of elements: `</p>` and `<br />`.
  if (before.endsWith('<') || text[at + 1] === '>') return 'code';
  return PATTERN_MAY_FOLLOW.test(before.trimEnd()) ? 'pattern' : 'code';
}

/** Behind the segment of this kind that starts at `at`; a template ends at each of its placeholders. */
function endOf(kind: Segment['kind'], text: string, at: number): number {
  if (kind === 'code') return at + 1;
  if (kind === 'comment') {
    const closing = text[at + 1] === '*' ? text.indexOf('*/', at + 2) + 2 : text.indexOf('\n', at);
    return closing < at ? text.length : closing;
  }
  const quote = kind === 'template' ? '`' : text[at];
  let inClass = false;
  for (let i = at + 1; i < text.length; i++) {
    if (text[i] === '\\') i++;
    else if (kind === 'template' && text[i] === '$' && text[i + 1] === '{') return i + 2;
    else if (kind === 'pattern' && text[i] === '[') inClass = true;
    else if (kind === 'pattern' && text[i] === ']') inClass = false;
    else if (text[i] === quote && !inClass) return i + 1;
  }
  return text.length;
}

function segmentsOf(text: string): Segment[] {
  const segments: Segment[] = [];
  /** Open braces in each template placeholder around the current place. */
  const placeholders: number[] = [];
  let before = '';
  for (let at = 0; at < text.length; ) {
    const open = placeholders.at(-1);
    const resumes = text[at] === '}' && open === 0;
    if (resumes) placeholders.pop();
    else if (open !== undefined && text[at] === '{') placeholders[placeholders.length - 1] = open + 1;
    else if (open !== undefined && text[at] === '}') placeholders[placeholders.length - 1] = open - 1;
    const kind = resumes ? 'template' : kindAt(text, at, before);
    const end = endOf(kind, text, at);
    const segment = { kind, text: text.slice(at, end) };
    if (kind === 'template' && segment.text.endsWith('${')) placeholders.push(0);
    segments.push(segment);
    before = (before + bareText(segment)).slice(-40);
    at = end;
  }
  return segments;
}

const blank = (text: string): string => text.replace(/[^\n]/g, ' ');

/** Code as it is, a comment blanked, a literal blanked between its delimiters. */
function bareText({ kind, text }: Segment): string {
  if (kind === 'code') return text;
  return kind === 'comment' ? blank(text) : text.charAt(0) + blank(text.slice(1, -1)) + text.slice(-1);
}

/** Tells comments, literals and code apart. */
export function scanSource(path: string, text: string): SourceFile {
  const segments = segmentsOf(text);
  const modules: ModuleReference[] = [];
  let bare = '';
  for (const segment of segments) {
    const kind = segment.kind === 'string' ? moduleKind(bare.slice(-200)) : null;
    if (kind !== null) modules.push({ specifier: segment.text.slice(1, -1), kind });
    bare += bareText(segment);
  }
  const strings = segments
    .filter(({ kind }) => kind === 'string' || kind === 'template')
    .map((segment) => segment.text.slice(1, segment.text.endsWith('${') ? -2 : -1));
  const remarks = segments.map((each) => (each.kind === 'comment' ? each.text : blank(each.text))).join('');
  return { path, text, bare, remarks, strings, modules };
}

/** What makes the string behind this code the name of a module, or null. */
function moduleKind(before: string): ModuleReference['kind'] | null {
  if (/(?:^|[^.\w])(?:from|import)\s*$/.test(before)) return 'static';
  if (/(?:^|[^.\w])import\s*\(\s*$/.test(before)) return 'dynamic';
  if (/(?:\brequire|\brequire\.resolve|\bcreateRequire\s*\([^()]*\))\s*\(\s*$/.test(before)) return 'require';
  return /\bnew\s+URL\s*\(\s*$/.test(before) ? 'url' : null;
}
