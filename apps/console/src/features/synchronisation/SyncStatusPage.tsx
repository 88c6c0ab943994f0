/** /syncStatus/{id}: the progress of the persons of a strategy to its devices. */
import { useParams } from 'react-router'
import { strategyCalls } from '@gatehouse/contract/strategies/calls'
import { useRead } from '../../api/query.ts'
import { detailOf } from '../strategies/index.ts'
import { SyncStatus } from './SyncStatus.tsx'

export default function SyncStatusPage() {
  const { id = '' } = useParams()
  const names = useRead(strategyCalls.all, { query: {} })
  return <SyncStatus id={id} name={names.data?.find((strategy) => strategy.id === id)?.name ?? ''} to={detailOf(id)} />
}
