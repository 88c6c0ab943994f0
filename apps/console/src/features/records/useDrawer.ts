/** Which record stands in the drawer beside a list: chosen there, or named in the address by whoever led here. */
import { useEffect, useEffectEvent, useState } from 'react'
import { useSearchParams } from 'react-router'

const NAME = 'record'

export interface RecordDrawerState {
  open: string | undefined
  /** Whether it was ever open: its code is fetched then. */
  used: boolean
  show: (id: string | undefined) => void
}

export function useDrawer(): RecordDrawerState {
  const [search, setSearch] = useSearchParams()
  const [{ open, used }, setDrawer] = useState<{ open?: string | undefined; used: boolean }>({ used: false })
  const show = (id: string | undefined): void => setDrawer({ open: id, used: true })
  // A page that is left takes its drawer along.
  useEffect(() => () => setDrawer(({ used: before }) => ({ used: before })), [])

  const led = search.get(NAME)
  // The address is of the list again at once: a page that is come back to is one without a drawer.
  const follow = useEffectEvent((id: string): void => {
    show(id)
    setSearch(
      (before) => {
        const next = new URLSearchParams(before)
        next.delete(NAME)
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
