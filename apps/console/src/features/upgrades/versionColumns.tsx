/** Columns of the list of versions. */
import { useTranslation } from 'react-i18next'
import { updateType } from '@gatehouse/contract/enums/devices'
import type { AppVersion } from '@gatehouse/contract/upgrades/calls'
import { columnsOf, type TableColumn } from '../../kit/list/columns.tsx'
import { useEnumLabel } from '../../kit/detail/EnumTag.tsx'
import { RelativeTime } from '../../kit/detail/RelativeTime.tsx'
import { useSizeWords } from './sizeWords.ts'
import styles from './upgrades.module.css'

export function useVersionColumns(): TableColumn<AppVersion>[] {
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
