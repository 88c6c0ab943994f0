/** /noticeSettings: notices to all users, in three languages. */
import { PlusOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { noticeCalls, type SystemNotice } from '@gatehouse/contract/system/notices'
import { useLanguage } from '../../../i18n/index.ts'
import { columnsOf } from '../../../kit/list/columns.tsx'
import { modal } from '../../../kit/feedback.tsx'
import { ListTable } from '../../../kit/list/ListTable.tsx'
import { RelativeTime } from '../../../kit/detail/RelativeTime.tsx'
import { RowMenu } from '../../../kit/list/RowMenu.tsx'
import { Screen } from '../../../kit/detail/Screen.tsx'
import { useEditor } from '../../../kit/form/useEditor.ts'
import { useList } from '../../../kit/list/useList.ts'
import { useWrite } from '../../../kit/form/useWrite.ts'
import { path } from '../../../paths.ts'
import styles from '../system.module.css'

const NoticeDialog = lazy(() => import('./NoticeDialog.tsx'))

export default function NoticeListPage() {
  const { t } = useTranslation('system')
  const { language } = useLanguage()
  const navigate = useNavigate()
  const list = useList(noticeCalls.notices, { name: 'notices' })
  const editor = useEditor<SystemNotice>()
  const remove = useWrite(noticeCalls.removeNotice, { done: t('notices.removed') })
  const columns = columnsOf<SystemNotice>([
    { field: 'title', title: t('notices.title'), width: 280, visibility: 'always', render: ({ title }) => title[language] },
    { field: 'content', title: t('notices.content'), width: 420, render: ({ content }) => content[language] },
    { field: 'time', title: t('notices.time'), width: 130, render: ({ time }) => <RelativeTime at={time} /> },
  ])
  const ask = ({ id, title }: SystemNotice): void =>
    modal.confirm({
      title: t('notices.removeTitle', { title: title[language] }),
      content: t('notices.removeWords'),
      okText: t('notices.remove'),
      okButtonProps: { danger: true },
      cancelText: t('common:cancel'),
      onOk: () => remove.run({ params: { id } }),
    })
  const add = (
    <Button type="primary" icon={<PlusOutlined />} onClick={editor.add}>
      {t('notices.add')}
    </Button>
  )
  return (
    <Screen title={t('shell:title.noticeSettings')} note={!list.pending && t('notices.total', { count: list.total })} actions={add}>
      <p className={styles.words}>{t('notices.words')}</p>
      <ListTable
        list={list}
        columns={columns}
        empty={{ title: t('notices.none'), action: add }}
        onOpen={editor.edit}
        actions={(notice) => (
          <RowMenu
            name={notice.title[language]}
            actions={[
              { key: 'view', label: t('notices.view'), run: () => void navigate(`${path('onlineNotice')}?id=${notice.id}`) },
              { key: 'edit', label: t('notices.edit'), run: () => editor.edit(notice) },
              { key: 'remove', label: t('notices.remove'), danger: true, run: () => ask(notice) },
            ]}
          />
        )}
      />
      <Suspense fallback={null}>{editor.openingCount > 0 && <NoticeDialog key={editor.openingCount} editor={editor} />}</Suspense>
    </Screen>
  )
}
