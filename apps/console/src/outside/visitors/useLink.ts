/** What a link opens, and what became of opening it. */
import { useEffect, useState } from 'react'
import { Refusal } from '../../api/refusal.ts'

export type Opened<Link> = { at: 'opening' } | { at: 'ended' } | { at: 'unreachable'; refusal: Refusal } | { at: 'open'; link: Link }

/** A damaged address counts as a link that has ended. */
export const isEnded = ({ fields }: Refusal): boolean => fields.some(({ path }) => path === 'token')

/** Milliseconds after which a page that is looked at is read again. */
const CURRENT_FOR = 20_000

/**
 * Read what a link opens. `again` reads it once more.
 * @param read stays the same function
 * @param follows read it again while the page is looked at; what is shown stays there where it cannot be read
 */
export function useLink<Link>(
  read: (token: string) => Promise<Link>,
  token: string,
  { follows = false } = {},
): { opened: Opened<Link>; again: () => void; end: () => void } {
  const [opened, setOpened] = useState<Opened<Link>>({ at: 'opening' })
  const [tries, setTries] = useState(0)
  useEffect(() => {
    read(token).then(
      (link) => setOpened({ at: 'open', link }),
      (error: unknown) => error instanceof Refusal && setOpened(isEnded(error) ? { at: 'ended' } : { at: 'unreachable', refusal: error }),
    )
  }, [read, token, tries])
  const isFollowed = follows && opened.at === 'open'
  useEffect(() => {
    if (!isFollowed) return
    const readAgain = (): void => {
      if (document.hidden) return
      read(token).then(
        (link) => setOpened({ at: 'open', link }),
        (error: unknown) => error instanceof Refusal && isEnded(error) && setOpened({ at: 'ended' }),
      )
    }
    const timer = setInterval(readAgain, CURRENT_FOR)
    document.addEventListener('visibilitychange', readAgain)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', readAgain)
    }
  }, [read, token, isFollowed])
  return { opened, again: () => setTries((before) => before + 1), end: () => setOpened({ at: 'ended' }) }
}
