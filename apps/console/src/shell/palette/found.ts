/** The results of the palette: ordered by how well they match, and limited in number per kind. */
import type { ReactNode } from 'react'

export interface Found {
  /** Identifies it, and is marked by it. */
  key: string
  label: string
  /** Shown small beside it. */
  more?: string
  icon?: ReactNode
  /** Whether it is shown, but cannot be chosen. */
  disabled?: boolean
  rank: number
  run: () => void
}

export interface FoundGroup {
  heading: string
  found: readonly Found[]
}

/** Maximum number of entries of one kind. */
export const SHOWN = 6

/**
 * Return how well words match what is typed: 3 exactly, 2 from their beginning, 1 somewhere, 0 not at all. While nothing is typed
 * everything matches.
 */
export function rankOf(typed: string, words: readonly string[]): 0 | 1 | 2 | 3 {
  const text = typed.trim().toLowerCase()
  const lower = words.map((word) => word.toLowerCase())
  if (text === '') return 1
  if (lower.includes(text)) return 3
  if (lower.some((word) => word.startsWith(text))) return 2
  return text.split(/\s+/).every((part) => lower.some((word) => word.includes(part))) ? 1 : 0
}

/** Return the best results. */
export const best = (found: readonly Found[]): Found[] =>
  found
    .filter(({ rank }) => rank > 0)
    .toSorted((one, other) => other.rank - one.rank)
    .slice(0, SHOWN)

const rankIn = ({ found }: FoundGroup): number => Math.max(0, ...found.map(({ rank }) => rank))
/** Return the kinds that have results, the one with the best match first. */
export const inOrder = (groups: readonly FoundGroup[]): FoundGroup[] =>
  groups.filter(({ found }) => found.length > 0).toSorted((one, other) => rankIn(other) - rankIn(one))
