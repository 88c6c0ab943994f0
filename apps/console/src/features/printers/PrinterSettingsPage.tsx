/** /printerSettings: the printers of the park, and what was printed on them (SCR-177). */
import { PlusOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { printerCalls, type Printer } from '@gatehouse/contract/printers/calls'
import { request } from '../../api/request.ts'
import { useMayCall } from '../../api/session.ts'
import { Screen } from '../../kit/detail/Screen.tsx'
import { modal, toast } from '../../kit/feedback.tsx'
import { useEditor } from '../../kit/form/useEditor.ts'
import { useWrite } from '../../kit/form/useWrite.ts'
import { columnsOf, type TableColumn } from '../../kit/list/columns.tsx'
import { FilterBar } from '../../kit/list/FilterBar.tsx'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { ListTools } from '../../kit/list/ListTools.tsx'
import { RowMenu, type RowAction } from '../../kit/list/RowMenu.tsx'
import { useList } from '../../kit/list/useList.ts'
import { PrintJobs } from './PrintJobs.tsx'

const PrinterDialog = lazy(() => import('./PrinterDialog.tsx'))

export default function PrinterSettingsPage() {
  const { t } = useTranslation('printers')
  const list = useList(printerCalls.settings, { name: 'printers' })
  const columns = usePrinterColumns()
  const editor = useEditor<Printer>()
  const actionsOf = usePrinterActions(editor.edit)
  const seesJobs = useMayCall(printerCalls.jobs)
  const add = (
    <Button type="primary" icon={<PlusOutlined />} onClick={editor.add}>
      {t('add')}
    </Button>
  )
  return (
    <Screen title={t('title')} note={!list.pending && t('total', { count: list.total })} actions={add}>
      <FilterBar list={list} filters={[{ field: 'name', label: t('name') }]}>
        <ListTools list={list} columns={columns} />
      </FilterBar>
      <ListTable
        list={list}
        columns={columns}
        empty={{ title: t('noneYet'), action: add }}
        onOpen={(printer) => printer.can.change && editor.edit(printer)}
        actions={(printer) => <RowMenu name={printer.name} actions={actionsOf(printer)} />}
      />
      {seesJobs && <PrintJobs />}
      <Suspense fallback={null}>{editor.openingCount > 0 && <PrinterDialog key={editor.openingCount} editor={editor} />}</Suspense>
    </Screen>
  )
}

/** Return the actions on a printer. */
function usePrinterActions(edit: (printer: Printer) => void): (printer: Printer) => RowAction[] {
  const { t } = useTranslation('printers')
  const remove = useWrite(printerCalls.delete, { done: t('deleted') })
  const test = useWrite(printerCalls.test, { done: t('testSent') })

  async function showStatus({ id, name }: Printer): Promise<void> {
    const { state, reasons, model } = await request(printerCalls.status, { query: { id } }, { errors: 'toast' })
    const words = [t(`status.${state}`), ...reasons.map((reason) => t(`reason.${reason}`))].join(' ')
    toast(state === 'ready' || state === 'printing' ? 'success' : 'error', t('statusOf', { name: model || name, words }))
  }

  return (printer) => [
    { key: 'edit', label: t('edit'), allowed: printer.can.change, run: () => edit(printer) },
    // A refusal has been shown already.
    { key: 'status', label: t('askStatus'), allowed: printer.can.test, run: () => void showStatus(printer).catch(() => {}) },
    { key: 'test', label: t('test'), allowed: printer.can.test, run: () => test.run({ body: { printerId: printer.id } }) },
    {
      key: 'delete',
      label: t('delete'),
      danger: true,
      allowed: printer.can.delete,
      run: () =>
        void modal.confirm({
          title: t('deleteTitle', { name: printer.name }),
          content: t('deleteWords'),
          okText: t('delete'),
          okButtonProps: { danger: true },
          cancelText: t('common:cancel'),
          onOk: () => remove.run({ query: { id: printer.id }, body: {} }),
        }),
    },
  ]
}

/** Return the columns of the list of printers. */
function usePrinterColumns(): TableColumn<Printer>[] {
  const { t } = useTranslation('printers')
  return columnsOf<Printer>([
    { field: 'name', title: t('name'), width: 180, visibility: 'always' },
    { field: 'serialNumber', title: t('serialNumber'), width: 140 },
    { field: 'kind', title: t('kindLabel'), width: 140, render: ({ kind }) => t(`kind.${kind}`) },
    { field: 'address', title: t('address'), width: 260 },
    { field: 'media', title: t('mediaLabel'), width: 160, render: ({ media }) => t(`media.${media}`) },
  ])
}
