/** The state of an import in words, with how far it is. */
import { useTranslation } from 'react-i18next'
import type { PersonImport } from '@gatehouse/contract/imports/calls'
import { StatusTag } from '../../kit/detail/EnumTag.tsx'
import type { Status } from '../../theme/tokens.ts'

const STATUS_OF: Record<PersonImport['state'], Status> = { draft: 'wait', running: 'info', done: 'ok', cancelled: 'off', failed: 'bad' }

export function ImportState({ of: { state, work } }: { of: Pick<PersonImport, 'state' | 'work'> }) {
  const { t } = useTranslation('imports')
  const percent = state === 'running' && work?.total ? ` ${Math.floor((work.done / work.total) * 100)}%` : ''
  return (
    <StatusTag status={STATUS_OF[state]}>
      {t(`state.${state}`)}
      {percent}
    </StatusTag>
  )
}
