/** The dialog that adds or changes a printer, over the list. */
import { Form, Input, Radio } from 'antd'
import { useTranslation } from 'react-i18next'
import { printerCalls, type Printer } from '@gatehouse/contract/printers/calls'
import { useReadOnce } from '../../api/query.ts'
import { FormDialog } from '../../kit/form/FormDialog.tsx'
import { loadedFrom, ready } from '../../kit/form/loaded.ts'
import type { Editor } from '../../kit/form/useEditor.ts'

const WIDTH = 560
const NEW_PRINTER = { kind: 'ipp', media: 'badge', serialNumber: '' } as const

const valuesOf = ({ name, serialNumber, kind, address, media }: Printer) => ({ name, serialNumber, kind, address, media })

export default function PrinterDialog({ editor }: { editor: Editor<Printer> }) {
  return editor.target ? <ChangePrinter editor={editor} id={editor.target.id} /> : <AddPrinter editor={editor} />
}

function AddPrinter({ editor }: { editor: Editor<Printer> }) {
  const { t } = useTranslation('printers')
  return (
    <FormDialog
      call={printerCalls.create}
      editor={editor}
      title={t('add')}
      width={WIDTH}
      initial={ready(NEW_PRINTER)}
      done={t('added')}
      draft="printer.add"
    >
      <PrinterFields />
    </FormDialog>
  )
}

function ChangePrinter({ editor, id }: { editor: Editor<Printer>; id: string }) {
  const { t } = useTranslation('printers')
  const printer = useReadOnce(printerCalls.read, { query: { id } })
  return (
    <FormDialog
      call={printerCalls.change}
      editor={editor}
      title={t('editOf', { name: printer.data?.name ?? '' })}
      width={WIDTH}
      initial={loadedFrom(printer, valuesOf)}
      hidden={{ id, version: printer.data?.version }}
      done={t('saved')}
      draft={`printer.${id}`}
    >
      <PrinterFields />
    </FormDialog>
  )
}

/** The fields of a printer, named as in the write calls. */
function PrinterFields() {
  const { t } = useTranslation('printers')
  const kind = Form.useWatch<string | undefined>('kind')
  return (
    <>
      <Form.Item name="name" label={t('name')} required>
        <Input maxLength={32} autoComplete="off" />
      </Form.Item>
      <Form.Item name="serialNumber" label={t('serialNumber')}>
        <Input maxLength={64} autoComplete="off" />
      </Form.Item>
      <Form.Item name="kind" label={t('kindLabel')} extra={kind && t(`kindHint.${kind}`)}>
        <Radio.Group options={(['ipp', 'browser'] as const).map((value) => ({ value, label: t(`kind.${value}`) }))} />
      </Form.Item>
      {kind === 'ipp' && (
        <Form.Item name="address" label={t('address')} required>
          <Input maxLength={200} autoComplete="off" spellCheck={false} placeholder="ipp://printer.example.org/ipp/print" />
        </Form.Item>
      )}
      <Form.Item name="media" label={t('mediaLabel')}>
        <Radio.Group options={(['badge', 'slip'] as const).map((value) => ({ value, label: t(`media.${value}`) }))} />
      </Form.Item>
    </>
  )
}
