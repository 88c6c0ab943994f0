/** Parameters that a link passes to a page, such as a code to be filled in: removed from the address and passed on once. */
import { useEffect, useRef } from 'react'
import { useSearchParams } from 'react-router'

/** @param name parameter without which the link passes nothing */
export function useBrought(name: string, take: (brought: URLSearchParams) => void): void {
  const [search, setSearch] = useSearchParams()
  /** Parameters that were passed on and may still be in the address, which changes some renders later. */
  const taken = useRef('')
  useEffect(() => {
    const brought = search.has(name) ? search.toString() : ''
    if (brought === taken.current) return
    taken.current = brought
    if (brought === '') return
    take(search)
    setSearch({}, { replace: true })
  }, [search, setSearch, name, take])
}
