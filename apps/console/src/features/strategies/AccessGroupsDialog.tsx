/** All access groups of the park: doors under one name. They are added, changed and deleted here. */
import { PlusOutlined } from '@ant-design/icons'
import { Button, Modal } from 'antd'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { accessGroupCalls, type AccessGroup } from '@gatehouse/contract/strategies/access-groups'
import { DetailPage } from '../../kit/detail/DetailPage.tsx'
import { modal } from '../../kit/feedback.tsx'
import { useRead } from '../../api/query.ts'
import { RowMenu, type RowAction } from '../../kit/list/RowMenu.tsx'
import { useEditor } from '../../kit/form/useEditor.ts'
import { useWrite } from '../../kit/form/useWrite.ts'
import { DeletionEffect } from '../questions/index.ts'
import styles from './strategies.module.css'

const AccessGroupDialog = lazy(() => import('./AccessGroupDialog.tsx'))
const WIDTH = 640

export default function AccessGroupsDialog({ open, close }: { open: boolean; close: () => void }) {
  const { t } = useTranslation('strategies')
  const groups = useRead(accessGroupCalls.all, {})
  const editor = useEditor<AccessGroup>()
  const remove = useWrite(accessGroupCalls.delete, { done: t('deleted') })

  function actionsOf(group: AccessGroup): RowAction[] {
    const { id, name, strategyCount } = group
    const change = { key: 'edit', label: t('edit'), run: () => editor.edit(group) }
    // A group in use cannot be deleted: the server would refuse it after the question.
    if (strategyCount > 0) return [change]
    const ask = (): void =>
      void modal.confirm({
        title: t('accessGroup.deleteTitle', { name }),
        content: (
          <>
            <p>{t('accessGroup.deleteWords')}</p>
            <DeletionEffect of="accessGroup" body={{ id }} />
          </>
        ),
        okText: t('delete'),
        okButtonProps: { danger: true },
        cancelText: t('common:cancel'),
        onOk: () => remove.run({ params: { id } }),
      })
    return [change, { key: 'delete', label: t('delete'), danger: true, run: ask }]
  }
  return (
    <Modal open={open} title={t('accessGroups')} width={WIDTH} centered destroyOnHidden footer={null} onCancel={close}>
      <p className={styles.none}>{t('accessGroup.words')}</p>
      <DetailPage query={groups}>
        {(found) => (
          <ul className={styles.doorGroups} aria-label={t('accessGroups')}>
            {found.map((group) => (
              <li key={group.id}>
                <span className={styles.reach}>
                  <b title={group.name}>{group.name}</b>
                  <small>
                    {t('doors', { count: group.deviceCount })}
                    {t('common:listSeparator')}
                    {group.strategyCount === 0 ? t('accessGroup.unused') : t('strategies', { count: group.strategyCount })}
                  </small>
                </span>
                <RowMenu name={group.name} actions={actionsOf(group)} />
              </li>
            ))}
          </ul>
        )}
      </DetailPage>
      <Button icon={<PlusOutlined />} onClick={editor.add}>
        {t('accessGroup.add')}
      </Button>
      <Suspense fallback={null}>{editor.openingCount > 0 && <AccessGroupDialog key={editor.openingCount} editor={editor} />}</Suspense>
    </Modal>
  )
}
