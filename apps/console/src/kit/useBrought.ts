/** What a link brings to a page, such as a code to be filled in: taken out of the address and handed over once. */
import { useEffect, useRef } from 'react'
import { useSearchParams } from 'react-router'

/** @param name without it in the address, nothing was brought */
export function useBrought(name: string, take: (brought: URLSearchParams) => void): void {
  const [search, setSearch] = useSearchParams()
  /** What was handed over and may still stand in the address: that changes some renders later. */
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
