/** The drawer beside a list: which row is open in it. */
import { useEffect, useEffectEvent, useState } from 'react'
import { useSearchParams } from 'react-router'

interface DrawerState {
  /** Id of the row. */
  open: string | undefined
  /** Whether it was ever open; its code is loaded only then. */
  used: boolean
  show: (id: string | undefined) => void
}

/**
 * Return which row is open in the drawer beside a list: chosen there, or named in the address of the link that led here.
 * @param parameter name of the address's parameter with the id @param besides further parameters that are taken out of the address with it
 */
export function useDrawer(parameter: string, besides: readonly string[] = []): DrawerState {
  const [search, setSearch] = useSearchParams()
  const [{ open, used }, setDrawer] = useState<{ open?: string | undefined; used: boolean }>({ used: false })
  const show = (id: string | undefined): void => setDrawer({ open: id, used: true })
  // Leaving the page closes its drawer.
  useEffect(() => () => setDrawer(({ used: before }) => ({ used: before })), [])

  const led = search.get(parameter)
  // The parameter is removed from the address at once: a page that the user returns to has no open drawer.
  const follow = useEffectEvent((id: string): void => {
    show(id)
    setSearch(
      (before) => {
        const next = new URLSearchParams(before)
        for (const name of [parameter, ...besides]) next.delete(name)
        return next
      },
      { replace: true },
    )
  })
  useEffect(() => {
    if (led !== null) follow(led)
  }, [led])
  return { open, used, show }
}
