/** Links to the park's data screen: their authors, their last use, and their revocation. */
import { PlusOutlined } from '@ant-design/icons'
import { Button, Modal } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { screenLinkCalls, type ScreenLink } from '@gatehouse/contract/identity/screen-links'
import { columnsOf } from '../../../kit/list/columns.tsx'
import { StatusTag } from '../../../kit/detail/EnumTag.tsx'
import { modal } from '../../../kit/feedback.tsx'
import { ListTable } from '../../../kit/list/ListTable.tsx'
import { RelativeTime } from '../../../kit/detail/RelativeTime.tsx'
import { RowMenu } from '../../../kit/list/RowMenu.tsx'
import { useMayCall } from '../../../api/session.ts'
import { formatInstant, useZoneOffset } from '../../../kit/time.ts'
import { useEditor } from '../../../kit/form/useEditor.ts'
import { useLocalList } from '../../../kit/list/useLocalList.ts'
import { useWrite } from '../../../kit/form/useWrite.ts'
import styles from './settings.module.css'

const ScreenLinkDialog = lazy(() => import('./ScreenLinkDialog.tsx'))
const ScreenLinkOnce = lazy(() => import('./ScreenLinkOnce.tsx'))

const STATUS = { works: 'ok', ended: 'off', suspended: 'wait' } as const

export default function ScreenLinksDialog({ open, close }: { open: boolean; close: () => void }) {
  const { t } = useTranslation('system')
  return (
    <Modal open={open} centered width={900} title={t('screens.links.title')} destroyOnHidden onCancel={close} footer={null}>
      <p className={styles.words}>{t('screens.links.words')}</p>
      <Links />
    </Modal>
  )
}

function Links() {
  const { t } = useTranslation('system')
  const { offset } = useZoneOffset()
  const list = useLocalList(screenLinkCalls.list, { name: 'screenLinks' })
  const editor = useEditor<ScreenLink>()
  const mayAdd = useMayCall(screenLinkCalls.create)
  const [made, setMade] = useState<{ token: string; endsAt: number | null }>()
  const revoke = useWrite(screenLinkCalls.revoke, { done: t('screens.links.revoked') })
  const columns = columnsOf<ScreenLink>([
    { field: 'name', title: t('screens.links.name'), width: 180, visibility: 'always' },
    {
      field: 'state',
      title: t('screens.links.state'),
      width: 110,
      render: ({ state }) => <StatusTag status={STATUS[state]}>{t(`screens.links.states.${state}`)}</StatusTag>,
    },
    { field: 'madeBy', title: t('screens.links.madeBy'), width: 120 },
    { field: 'createdAt', title: t('screens.links.createdAt'), width: 120, render: ({ createdAt }) => <RelativeTime at={createdAt} /> },
    {
      field: 'endsAt',
      title: t('screens.links.endsAt'),
      width: 150,
      render: ({ endsAt }) => (endsAt === null ? t('screens.links.endless') : formatInstant(endsAt, offset).slice(0, 16)),
    },
    {
      field: 'lastUsedAt',
      title: t('screens.links.lastUsedAt'),
      width: 120,
      render: ({ lastUsedAt }) => (lastUsedAt === null ? t('screens.links.never') : <RelativeTime at={lastUsedAt} />),
    },
  ])
  const ask = ({ id, name }: ScreenLink): void =>
    modal.confirm({
      title: t('screens.links.revokeTitle', { name }),
      content: t('screens.links.revokeWords'),
      okText: t('screens.links.revoke'),
      okButtonProps: { danger: true },
      cancelText: t('common:cancel'),
      onOk: () => revoke.run({ params: { id } }),
    })
  const add = mayAdd && (
    <Button type="primary" icon={<PlusOutlined />} onClick={editor.add}>
      {t('screens.links.add')}
    </Button>
  )
  return (
    <>
      {list.total > 0 && <p className={styles.words}>{add}</p>}
      <ListTable
        list={list}
        columns={columns}
        empty={{ title: t('screens.links.none'), action: add }}
        actions={(link) => (
          <RowMenu name={link.name} actions={[{ key: 'revoke', label: t('screens.links.revoke'), danger: true, run: () => ask(link) }]} />
        )}
      />
      <Suspense fallback={null}>
        {editor.openingCount > 0 && <ScreenLinkDialog key={editor.openingCount} editor={editor} onMade={setMade} />}
        {made && <ScreenLinkOnce made={made} close={() => setMade(undefined)} />}
      </Suspense>
    </>
  )
}
