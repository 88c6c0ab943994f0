/** The devices that should hold one person. */
import { PAGE_SIZE_DEFAULT } from '@gatehouse/contract'
import { developmentCalls } from '@gatehouse/contract/development/calls'
import { useLocalList } from '../../kit/list/useLocalList.ts'
import { PairList } from './PairList.tsx'

export function DevicesOfPerson({ personId }: { personId: string }) {
  return (
    <PairList
      list={useLocalList(developmentCalls.devicesOfPerson, { name: 'issuedPairs', fixed: { personId }, size: PAGE_SIZE_DEFAULT })}
      each="device"
    />
  )
}
