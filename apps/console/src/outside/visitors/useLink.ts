/** What a link opens, and what became of opening it. */
import { useEffect, useState } from 'react'
import { Refusal } from '../../api/refusal.ts'

export type Opened<Link> = { at: 'opening' } | { at: 'ended' } | { at: 'unreachable'; refusal: Refusal } | { at: 'open'; link: Link }

/** A damaged address counts as a link that has ended. */
export const isEnded = ({ fields }: Refusal): boolean => fields.some(({ path }) => path === 'token')

/**
 * Read what a link opens. `again` reads it once more.
 * @param read stays the same function
 */
export function useLink<Link>(
  read: (token: string) => Promise<Link>,
  token: string,
): { opened: Opened<Link>; again: () => void; end: () => void } {
  const [opened, setOpened] = useState<Opened<Link>>({ at: 'opening' })
  const [tries, setTries] = useState(0)
  useEffect(() => {
    read(token).then(
      (link) => setOpened({ at: 'open', link }),
      (error: unknown) => error instanceof Refusal && setOpened(isEnded(error) ? { at: 'ended' } : { at: 'unreachable', refusal: error }),
    )
  }, [read, token, tries])
  return { opened, again: () => setTries((before) => before + 1), end: () => setOpened({ at: 'ended' }) }
}
