/** Links for visitors and hosts: a new one for the gate, and those that still open, each with its end. */
import { PlusOutlined } from '@ant-design/icons'
import { Button, Modal, Segmented } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PARK_LINK } from '@gatehouse/contract'
import { VISITOR_LINK_KINDS, visitorLinkCalls, type VisitorLink, type VisitorLinkKind } from '@gatehouse/contract/visitors/appointments'
import { RelativeTime } from '../../../kit/detail/RelativeTime.tsx'
import { modal } from '../../../kit/feedback.tsx'
import { useWrite } from '../../../kit/form/useWrite.ts'
import { columnsOf } from '../../../kit/list/columns.tsx'
import { ListTable } from '../../../kit/list/ListTable.tsx'
import { RowMenu } from '../../../kit/list/RowMenu.tsx'
import { useLocalList } from '../../../kit/list/useLocalList.ts'
import type { VisitLinks } from './useVisitLinks.ts'
import styles from './links.module.css'

const WIDTH = 760

interface VisitorLinksDialogProps {
  open: boolean
  close: () => void
  links: VisitLinks
}

export default function VisitorLinksDialog({ open, close, links }: VisitorLinksDialogProps) {
  const { t } = useTranslation('visitors')
  const [kind, setKind] = useState<VisitorLinkKind>('park')
  return (
    <Modal open={open} centered width={WIDTH} title={t('links.title')} destroyOnHidden onCancel={close} footer={null}>
      <p className={styles.words}>{t('links.words')}</p>
      <div className={styles.tools}>
        <Segmented<VisitorLinkKind>
          aria-label={t('links.kind')}
          value={kind}
          options={VISITOR_LINK_KINDS.map((value) => ({ value, label: t(`links.kinds.${value}`) }))}
          onChange={setKind}
        />
        <Button
          type="primary"
          icon={<PlusOutlined />}
          loading={links.pending}
          onClick={() => {
            setKind('park')
            links.makePark()
          }}
        >
          {t('links.make', { count: PARK_LINK })}
        </Button>
      </div>
      <OpenLinks key={kind} kind={kind} />
    </Modal>
  )
}

function OpenLinks({ kind }: { kind: VisitorLinkKind }) {
  const { t } = useTranslation('visitors')
  const list = useLocalList(visitorLinkCalls.links, { name: 'visitorLinks', fixed: { kind } })
  const revoke = useWrite(visitorLinkCalls.revokeLink, { done: t('links.revoked') })
  const columns = columnsOf<VisitorLink>([
    {
      field: 'visitorName',
      title: t('visitor'),
      width: 180,
      visibility: 'always',
      render: ({ visitorName }) => visitorName || t('links.any'),
    },
    { field: 'visits', title: t('links.visits'), width: 100, render: ({ visits }) => String(visits) },
    { field: 'createdAt', title: t('links.createdAt'), width: 140, render: ({ createdAt }) => <RelativeTime at={createdAt} /> },
    { field: 'expiresAt', title: t('links.expiresAt'), width: 140, render: ({ expiresAt }) => <RelativeTime at={expiresAt} /> },
  ])
  const ask = (id: string): void =>
    modal.confirm({
      title: t('links.revokeTitle'),
      content: t('links.revokeWords'),
      okText: t('links.revoke'),
      okButtonProps: { danger: true },
      cancelText: t('common:cancel'),
      onOk: () => revoke.run({ params: { id } }),
    })
  return (
    <ListTable
      list={list}
      columns={columns}
      empty={{ title: t('links.none') }}
      actions={({ id, visitorName }) => (
        <RowMenu
          name={visitorName || t('links.any')}
          actions={[{ key: 'revoke', label: t('links.revoke'), danger: true, run: () => ask(id) }]}
        />
      )}
    />
  )
}
