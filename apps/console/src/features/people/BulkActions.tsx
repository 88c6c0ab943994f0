/** Actions on the selected persons of a list. */
import { DownOutlined } from '@ant-design/icons'
import { Button, Dropdown } from 'antd'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { PERMIT_PERSONS, permitCalls } from '@gatehouse/contract/approvals/permits'
import { personStatus } from '@gatehouse/contract/enums/people'
import { useMayCall } from '../../api/session.ts'
import { useEditor } from '../../kit/form/useEditor.ts'
import { PermitDialog, type PermitRequest } from '../approvals/index.ts'
import type { RegisterKind } from './personKinds.ts'
import type { usePersonActions } from './personActions.tsx'

const MoveDialog = lazy(() => import('./MoveDialog.tsx'))
const CopyDialog = lazy(() => import('./CopyDialog.tsx'))

interface BulkActionsProps {
  kind: RegisterKind
  ids: string[]
  mayEdit: boolean
  actions: ReturnType<typeof usePersonActions>
  done: () => void
}

export function BulkActions({ kind, ids, mayEdit, actions, done }: BulkActionsProps) {
  const { t } = useTranslation('people')
  const move = useEditor<string[]>()
  const copy = useEditor<string[]>()
  const permission = useEditor<PermitRequest>()
  const mayPermit = useMayCall(permitCalls.persons)
  const tooMany = ids.length > PERMIT_PERSONS
  const { erase } = actions
  const menuItems = [
    ...(mayEdit ? [{ key: 'sendAgain', label: t('sendAgain'), onClick: () => actions.sendAgain(ids) }] : []),
    ...(erase ? [{ key: 'erase', label: t('erase'), danger: true, onClick: () => erase(ids) }] : []),
  ]
  return (
    <>
      {mayPermit && (
        <Button
          disabled={tooMany}
          title={tooMany ? t('approvals:permit.tooMany', { count: PERMIT_PERSONS }) : undefined}
          onClick={() => permission.edit({ personIds: ids })}
        >
          {t('approvals:permit.permit')}
        </Button>
      )}
      {mayEdit && (
        <>
          <Button onClick={() => actions.setStatus(ids, personStatus.enabled)}>{t('enable')}</Button>
          <Button onClick={() => actions.setStatus(ids, personStatus.disabled)}>{t('disable')}</Button>
          <Button onClick={() => move.edit(ids)}>{t('move')}</Button>
          <Button onClick={() => copy.edit(ids)}>{t('copy')}</Button>
          <Button danger onClick={() => actions.remove(ids)}>
            {t('delete')}
          </Button>
        </>
      )}
      <Dropdown trigger={['click']} menu={{ items: menuItems }}>
        <Button>
          {t('more.more')} <DownOutlined />
        </Button>
      </Dropdown>
      <Suspense fallback={null}>
        {move.openingCount > 0 && <MoveDialog key={move.openingCount} editor={move} kind={kind} onDone={done} />}
        {copy.openingCount > 0 && <CopyDialog key={copy.openingCount} editor={copy} kind={kind} onDone={done} />}
        {permission.openingCount > 0 && <PermitDialog key={`permit ${permission.openingCount}`} editor={permission} onDone={done} />}
      </Suspense>
    </>
  )
}
