/** Columns of the list of API users. */
import { StopOutlined } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import type { ApiClient } from '@gatehouse/contract/identity/clients'
import { columnsOf, type TableColumn } from '../../../kit/list/columns.tsx'
import { StatusTag } from '../../../kit/detail/EnumTag.tsx'
import { RelativeTime } from '../../../kit/detail/RelativeTime.tsx'
import styles from '../identity.module.css'
import { PermissionChips } from '../permissions/PermissionChips.tsx'
import { spanOf } from './clientValues.ts'

export function useClientColumns(): TableColumn<ApiClient>[] {
  const { t } = useTranslation('identity')
  const spanWords = (seconds: number): string => {
    const { unit, count } = spanOf(seconds)
    return t(`span.${unit}`, { count })
  }
  return columnsOf<ApiClient>([
    {
      field: 'name',
      title: t('client.name'),
      width: 150,
      visibility: 'always',
      render: ({ name, purpose, status }) => (
        <span className={styles.two} data-off={status === 0 || undefined}>
          <b title={name}>{name}</b>
          {purpose && <small title={purpose}>{purpose}</small>}
        </span>
      ),
    },
    {
      field: 'ApiKey',
      title: 'ApiKey',
      width: 200,
      render: ({ ApiKey }) => (
        <span className={styles.key} title={ApiKey}>
          {ApiKey}
        </span>
      ),
    },
    {
      field: 'status',
      title: t('state'),
      width: 88,
      render: ({ status }) =>
        status === 1 ? (
          <StatusTag status="ok">{t('client.on')}</StatusTag>
        ) : (
          <StatusTag status="off">
            <StopOutlined /> {t('client.off')}
          </StatusTag>
        ),
    },
    { field: 'organisationName', title: t('organisation'), width: 96 },
    {
      field: 'permissions',
      title: t('permission.title'),
      width: 148,
      render: ({ permissions }) => <PermissionChips permissions={permissions} />,
    },
    {
      field: 'lastUsedAt',
      title: t('client.lastUsed'),
      width: 88,
      render: ({ lastUsedAt }) =>
        lastUsedAt === null ? <span className={styles.none}>{t('client.neverUsed')}</span> : <RelativeTime at={lastUsedAt} />,
    },
    {
      field: 'accessTokenValidity',
      title: t('client.accessToken'),
      width: 110,
      visibility: 'hidden',
      render: ({ accessTokenValidity }) => spanWords(accessTokenValidity),
    },
    {
      field: 'refreshTokenValidity',
      title: t('client.refreshToken'),
      width: 110,
      visibility: 'hidden',
      render: ({ refreshTokenValidity }) => spanWords(refreshTokenValidity),
    },
    {
      field: 'createdAt',
      title: t('createdAt'),
      width: 110,
      visibility: 'hidden',
      render: ({ createdAt }) => <RelativeTime at={createdAt} />,
    },
  ])
}
