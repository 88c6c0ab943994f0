/** /apkUpload: versions that were handed in, and where more are. */
import { UploadOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { upgradeCalls, type AppVersion } from '@gatehouse/contract/upgrades/calls'
import { UPGRADE_KINDS } from '@gatehouse/contract/upgrades/package'
import { modal } from '../../kit/feedback.tsx'
import { FilterBar } from '../../kit/list/FilterBar.tsx'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { ListTools } from '../../kit/list/ListTools.tsx'
import { RowMenu } from '../../kit/list/RowMenu.tsx'
import { useMayOpen } from '../../api/session.ts'
import { useEditor } from '../../kit/form/useEditor.ts'
import { useList } from '../../kit/list/useList.ts'
import { useWrite } from '../../kit/form/useWrite.ts'
import { UpgradesScreen } from './UpgradesScreen.tsx'
import { useVersionColumns } from './versionColumns.tsx'

const UploadDialog = lazy(() => import('./UploadDialog.tsx'))
const TaskDialog = lazy(() => import('./TaskDialog.tsx'))

export default function ApkUploadPage() {
  const { t } = useTranslation('upgrades')
  const list = useList(upgradeCalls.versions, { name: 'versions' })
  const columns = useVersionColumns()
  const uploading = useEditor<never>()
  const upgrading = useEditor<AppVersion>()
  const remove = useWrite(upgradeCalls.deleteVersion, { done: t('deleted') })
  const mayUpgrade = useMayOpen({ permission: 'device.upgrade', condition: 'installation' })
  const upload = mayUpgrade && (
    <Button type="primary" icon={<UploadOutlined />} onClick={uploading.add}>
      {t('upload')}
    </Button>
  )

  const ask = ({ id, versionNumber }: AppVersion): void =>
    void modal.confirm({
      title: t('deleteTitle', { version: versionNumber }),
      content: t('deleteWords'),
      okText: t('delete'),
      okButtonProps: { danger: true },
      cancelText: t('common:cancel'),
      onOk: () => remove.run({ query: { id } }),
    })
  return (
    <UpgradesScreen tab="versions" note={!list.pending && t('totalVersions', { count: list.total })} actions={upload}>
      <FilterBar
        list={list}
        filters={[
          { field: 'versionNumber', label: t('versionNumber') },
          { field: 'kind', label: t('kind'), options: UPGRADE_KINDS.map((value) => ({ value, label: t(`tab.${value}`) })) },
        ]}
      >
        <ListTools list={list} columns={columns} />
      </FilterBar>
      <ListTable
        list={list}
        columns={columns}
        empty={{ title: t('noVersionYet'), action: upload }}
        {...(mayUpgrade && {
          actions: (version: AppVersion) => (
            <RowMenu
              name={version.versionNumber}
              actions={[
                { key: 'upgrade', label: t('upgradeTo'), run: () => upgrading.edit(version) },
                { key: 'delete', label: t('delete'), danger: true, run: () => ask(version) },
              ]}
            />
          ),
        })}
      />
      <Suspense fallback={null}>
        {uploading.round > 0 && <UploadDialog key={`upload ${uploading.round}`} editor={uploading} />}
        {upgrading.round > 0 && <TaskDialog key={`upgrade ${upgrading.round}`} editor={upgrading} kind={upgrading.target?.kind} />}
      </Suspense>
    </UpgradesScreen>
  )
}
