import type { ScreenDeclarations } from '../../screenDeclaration.ts'

export const surveillanceScreens = {
  capturedList: {
    path: '/capturedList',
    page: 'features/surveillance/CaptureListPage.tsx',
    props: { list: 'captured' },
    kind: 'list',
    permission: 'surveillance.data',
    menu: 'surveillance',
  },
  identifyList: {
    path: '/identifyList',
    page: 'features/surveillance/CaptureListPage.tsx',
    props: { list: 'identified' },
    kind: 'list',
    permission: 'surveillance.data',
    menu: 'surveillance',
  },
  areaManage: {
    path: '/areaManage',
    page: 'features/surveillance/TaskListPage.tsx',
    kind: 'list',
    list: { call: async () => (await import('@gatehouse/contract/surveillance/tasks')).monitoringTaskCalls.find },
    permission: 'surveillance.rule',
    menu: 'surveillance',
  },
  addMonitor: {
    path: '/addMonitor',
    page: 'features/surveillance/TaskFormPage.tsx',
    kind: 'form',
    permission: 'surveillance.rule',
    parent: 'areaManage',
  },
  editMonitor: {
    path: '/editMonitor/{id}',
    page: 'features/surveillance/TaskFormPage.tsx',
    kind: 'form',
    permission: 'surveillance.rule',
    parent: 'areaManage',
  },
  monitorDetail: {
    path: '/monitorDetail/{id}',
    page: 'features/surveillance/TaskDetailPage.tsx',
    kind: 'detail',
    permission: 'surveillance.rule',
    parent: 'areaManage',
  },
} as const satisfies ScreenDeclarations
