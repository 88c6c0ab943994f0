/** The number of rows on a page of a list. */
import { DownOutlined } from '@ant-design/icons'
import { Dropdown } from 'antd'
import { useTranslation } from 'react-i18next'
import { PAGE_SIZE_OPTIONS } from '@gatehouse/contract'
import styles from './table.module.css'

export function PageSize({ size, choose }: { size: number; choose: (size: number) => void }) {
  const { t } = useTranslation()
  const items = PAGE_SIZE_OPTIONS.map((count) => ({
    key: String(count),
    label: t('list.perPage', { count }),
    onClick: () => choose(count),
  }))
  return (
    <Dropdown trigger={['click']} menu={{ items, selectable: true, selectedKeys: [String(size)] }}>
      <button type="button" className={styles.size} aria-haspopup="menu">
        {t('list.perPage', { count: size })}
        <DownOutlined />
      </button>
    </Dropdown>
  )
}
