/** Which list pages stay alive behind the one shown: at most eight, the least recently used goes first. */
export const KEPT_PAGES_MAX = 8

export interface KeptPage<Content> {
  /** Path without query: one page per list. */
  path: string
  content: Content
}

/**
 * Return the pages after one more was shown, most recently used last.
 * @param shown the visible page; replaces its own earlier state
 */
export function keep<Content>(
  pages: readonly KeptPage<Content>[],
  shown: KeptPage<Content>,
  limit: number = KEPT_PAGES_MAX,
): KeptPage<Content>[] {
  return [...pages.filter(({ path }) => path !== shown.path), shown].slice(-limit)
}
