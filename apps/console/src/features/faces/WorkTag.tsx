/** The state of long work in a list, with its progress. */
import { useTranslation } from 'react-i18next'
import type { WorkState } from '@gatehouse/contract/work'
import type { Status } from '../../theme/tokens.ts'
import { StatusTag } from '../../kit/detail/EnumTag.tsx'

const STATUS_OF: Record<WorkState['state'], Status> = { waiting: 'off', running: 'info', done: 'ok', failed: 'bad', cancelled: 'off' }

export function WorkTag({ work: { state, done, total, reason } }: { work: WorkState }) {
  const { t } = useTranslation('faces')
  const percent = state === 'running' && total ? ` ${Math.floor((done / total) * 100)}%` : ''
  return (
    <span title={reason ?? undefined}>
      <StatusTag status={STATUS_OF[state]}>
        {t(`work.state.${state}`)}
        {percent}
      </StatusTag>
    </span>
  )
}
