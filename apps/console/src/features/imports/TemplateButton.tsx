/** The button that downloads the empty spreadsheet for an import. */
import { DownloadOutlined, DownOutlined } from '@ant-design/icons'
import { Button, Dropdown } from 'antd'
import { useTranslation } from 'react-i18next'
import { importCalls } from '@gatehouse/contract/imports/calls'
import { request } from '../../api/request.ts'
import { saveFile } from '../../api/saveFile.ts'

const FORMATS = ['xlsx', 'csv'] as const

export function TemplateButton() {
  const { t } = useTranslation('imports')
  // A refusal has been shown already.
  const take = (format: (typeof FORMATS)[number]): void =>
    void request(importCalls.template, { query: { format } }).then(saveFile, () => {})
  return (
    <Dropdown
      trigger={['click']}
      menu={{ items: FORMATS.map((format) => ({ key: format, label: t(`template.${format}`), onClick: () => take(format) })) }}
    >
      <Button icon={<DownloadOutlined />} aria-haspopup="menu">
        {t('template.title')} <DownOutlined />
      </Button>
    </Dropdown>
  )
}
