/** /associatedRuleSyncStatus/{id}: how far the shared persons of a rule have reached its devices. */
import { useParams } from 'react-router'
import { associatedRuleCalls, associatedSyncCalls } from '@gatehouse/contract/strategies/associated-rules'
import { useRead } from '../../../api/query.ts'
import { SyncContext, SyncStatus } from '../../synchronisation/index.ts'
import { detailOf } from './associatedRules.tsx'

export default function AssociatedRuleSyncPage() {
  const { id = '' } = useParams()
  const { data } = useRead(associatedRuleCalls.read, { query: { id } })
  return (
    <SyncContext value={associatedSyncCalls}>
      <SyncStatus id={id} name={data?.name ?? ''} to={detailOf({ id, kind: data?.kind ?? 'staff' })} />
    </SyncContext>
  )
}
