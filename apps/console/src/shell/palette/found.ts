/** What the palette offers: by how well it is meant, no more of a kind than can be taken in. */
import type { ReactNode } from 'react'

export interface Found {
  /** Told apart by it, and marked by it. */
  key: string
  label: string
  /** Stands small beside it. */
  more?: string
  icon?: ReactNode
  /** It is shown, and cannot be chosen. */
  disabled?: boolean
  rank: number
  run: () => void
}

export interface FoundGroup {
  heading: string
  found: readonly Found[]
}

/** Entries of one kind at most. */
export const SHOWN = 6

/**
 * How well words are what is typed: exactly, from their beginning, somewhere, or not at all. While nothing is typed
 * everything is meant.
 */
export function rankOf(typed: string, words: readonly string[]): 0 | 1 | 2 | 3 {
  const text = typed.trim().toLowerCase()
  const lower = words.map((word) => word.toLowerCase())
  if (text === '') return 1
  if (lower.includes(text)) return 3
  if (lower.some((word) => word.startsWith(text))) return 2
  return text.split(/\s+/).every((part) => lower.some((word) => word.includes(part))) ? 1 : 0
}

/** The best of what was found. */
export const best = (found: readonly Found[]): Found[] =>
  found
    .filter(({ rank }) => rank > 0)
    .toSorted((one, other) => other.rank - one.rank)
    .slice(0, SHOWN)

const rankIn = ({ found }: FoundGroup): number => Math.max(0, ...found.map(({ rank }) => rank))
/** Kinds that hold something, the one with what is meant most exactly first. */
export const inOrder = (groups: readonly FoundGroup[]): FoundGroup[] =>
  groups.filter(({ found }) => found.length > 0).toSorted((one, other) => rankIn(other) - rankIn(one))
