/** /enrolmentLinks: valid links for applications. */
import { PlusOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { enrolmentCalls, type EnrolmentLink } from '@gatehouse/contract/enrolment/calls'
import { columnsOf } from '../../kit/list/columns.tsx'
import { modal } from '../../kit/feedback.tsx'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { ListTools } from '../../kit/list/ListTools.tsx'
import { RelativeTime } from '../../kit/detail/RelativeTime.tsx'
import { RowMenu } from '../../kit/list/RowMenu.tsx'
import { Screen } from '../../kit/detail/Screen.tsx'
import { useMayCall } from '../../api/session.ts'
import { useBrought } from '../../kit/useBrought.ts'
import { useEditor } from '../../kit/form/useEditor.ts'
import { useList } from '../../kit/list/useList.ts'
import { useWrite } from '../../kit/form/useWrite.ts'
import type { MadeLink } from './LinkDialog.tsx'

const LinkDialog = lazy(() => import('./LinkDialog.tsx'))
const LinkOnce = lazy(() => import('./LinkOnce.tsx'))

export default function LinkListPage() {
  const { t } = useTranslation('enrolment')
  const list = useList(enrolmentCalls.links, { name: 'enrolmentLinks' })
  const editor = useEditor<EnrolmentLink>()
  const [made, setMade] = useState<MadeLink>()
  const [presets, setPresets] = useState<{ groupId?: string; personId?: string }>({})
  const mayMake = useMayCall(enrolmentCalls.createLink)
  useBrought('groupId', (link) => {
    if (!mayMake) return
    setPresets({ groupId: link.get('groupId')! })
    editor.add()
  })
  useBrought('personId', (link) => {
    if (!mayMake) return
    setPresets({ personId: link.get('personId')! })
    editor.add()
  })
  const end = useWrite(enrolmentCalls.revokeLink, { done: t('link.ended') })
  const recipientOf = ({ personName }: EnrolmentLink): string => personName || t('link.anybody')
  const columns = columnsOf<EnrolmentLink>([
    { field: 'personName', title: t('link.for'), width: 200, visibility: 'always', render: recipientOf },
    { field: 'groupName', title: t('group'), width: 160 },
    { field: 'kind', title: t('kindTitle'), width: 120, render: ({ kind }) => t(`kind.${kind}`) },
    { field: 'applications', title: t('link.applications'), width: 110, render: ({ applications }) => String(applications) },
    { field: 'createdAt', title: t('link.createdAt'), width: 140, render: ({ createdAt }) => <RelativeTime at={createdAt} /> },
    { field: 'expiresAt', title: t('link.expiresAt'), width: 160, render: ({ expiresAt }) => <RelativeTime at={expiresAt} /> },
  ])
  const add = mayMake && (
    <Button type="primary" icon={<PlusOutlined />} onClick={editor.add}>
      {t('link.add')}
    </Button>
  )
  const ask = (id: string): void =>
    modal.confirm({
      title: t('link.endTitle'),
      content: t('link.endWords'),
      okText: t('link.end'),
      okButtonProps: { danger: true },
      cancelText: t('cancel'),
      onOk: () => end.run({ params: { id } }),
    })
  return (
    <Screen
      title={t('shell:title.enrolmentLinks')}
      note={!list.pending && t('link.total', { count: list.total })}
      actions={
        <>
          <ListTools list={list} columns={columns} />
          {add}
        </>
      }
    >
      <ListTable
        list={list}
        columns={columns}
        empty={{ title: t('link.none'), action: add }}
        {...(mayMake && {
          actions: (link: EnrolmentLink) => (
            <RowMenu name={recipientOf(link)} actions={[{ key: 'end', label: t('link.end'), danger: true, run: () => ask(link.id) }]} />
          ),
        })}
      />
      <Suspense fallback={null}>
        {editor.openingCount > 0 && <LinkDialog key={editor.openingCount} editor={editor} {...presets} onMade={setMade} />}
        {made && <LinkOnce made={made} title={t('shell:title.enrolmentLinks')} scan={t('link.scan')} close={() => setMade(undefined)} />}
      </Suspense>
    </Screen>
  )
}
