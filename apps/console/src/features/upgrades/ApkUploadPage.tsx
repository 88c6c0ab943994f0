/** /apkUpload: uploaded versions, and the link to more. */
import { UploadOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { upgradeCalls, type AppVersion } from '@gatehouse/contract/upgrades/calls'
import { UPGRADE_KINDS } from '@gatehouse/contract/upgrades/package'
import { updateType } from '@gatehouse/contract/enums/devices'
import { modal } from '../../kit/feedback.tsx'
import { FilterBar } from '../../kit/list/FilterBar.tsx'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { ListTools } from '../../kit/list/ListTools.tsx'
import { RowMenu } from '../../kit/list/RowMenu.tsx'
import { useMayOpen } from '../../api/session.ts'
import { useEditor } from '../../kit/form/useEditor.ts'
import { useList } from '../../kit/list/useList.ts'
import { useWrite } from '../../kit/form/useWrite.ts'
import { columnsOf, type TableColumn } from '../../kit/list/columns.tsx'
import { useEnumLabel } from '../../kit/detail/EnumTag.tsx'
import { RelativeTime } from '../../kit/detail/RelativeTime.tsx'
import { UpgradesScreen } from './UpgradesScreen.tsx'
import { useSizeWords } from './upgradeWords.ts'
import styles from './upgrades.module.css'

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
        {uploading.openingCount > 0 && <UploadDialog key={`upload ${uploading.openingCount}`} editor={uploading} />}
        {upgrading.openingCount > 0 && (
          <TaskDialog key={`upgrade ${upgrading.openingCount}`} editor={upgrading} kind={upgrading.target?.kind} />
        )}
      </Suspense>
    </UpgradesScreen>
  )
}

/** Return the columns of the list of versions. */
function useVersionColumns(): TableColumn<AppVersion>[] {
  const { t, i18n } = useTranslation('upgrades')
  const label = useEnumLabel()
  const sizeWords = useSizeWords()
  return columnsOf<AppVersion>([
    {
      field: 'versionNumber',
      title: t('versionNumber'),
      width: 150,
      visibility: 'always',
      render: ({ versionNumber, kind, apkName }) => (
        <span className={styles.two}>
          <b>{versionNumber}</b>
          <small>{[t(`tab.${kind}`), apkName].filter(Boolean).join(' · ')}</small>
        </span>
      ),
    },
    { field: 'content', title: t('content'), width: 230 },
    { field: 'updateType', title: t('type'), width: 110, render: (version) => label(updateType, version.updateType) },
    { field: 'file', title: t('file'), width: 140 },
    { field: 'size', title: t('size'), width: 90, render: ({ size }) => sizeWords(size) },
    { field: 'signed', title: t('signature'), width: 90, render: ({ signed }) => t(signed ? 'signed' : 'unsigned') },
    { field: 'md5', title: t('md5'), width: 270, visibility: 'hidden' },
    {
      field: 'inProgress',
      title: t('inProgress'),
      width: 110,
      render: ({ inProgress }) => (inProgress === 0 ? null : inProgress.toLocaleString(i18n.language)),
    },
    { field: 'createdAt', title: t('uploadedAt'), width: 120, render: ({ createdAt }) => <RelativeTime at={createdAt} /> },
  ])
}
