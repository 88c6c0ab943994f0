/** What a search asks for beside the photograph; in the address, so that it is there again when one comes back. */
import { useSearchParams } from 'react-router'
import type { OutputOf } from '@gatehouse/contract'
import { searchCalls } from '@gatehouse/contract/people/search'
import { readQuery, writeQuery } from '../../../kit/list/address.ts'

const schema = searchCalls.oneToN.body.omit({ faceId: true })
export type SearchWishes = OutputOf<typeof schema>

export function useSearchWishes(): [wishes: SearchWishes, change: (some: Partial<SearchWishes>) => void] {
  const [search, setSearch] = useSearchParams()
  const change = (some: Partial<SearchWishes>): void =>
    setSearch((before) => writeQuery(schema, { ...readQuery(schema, before), ...some }), { replace: true })
  return [readQuery(schema, search), change]
}
