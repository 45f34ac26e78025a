import type { Notice } from '../system-notifications.ts'

/** The browser's notifications and alarms, which outlive a worker. */
export function createMemoryNotifications() {
  const alarms = new Map<string, unknown>()
  const world = {
    /** Those that are there, by id. */
    shown: new Map<string, Notice>(),
    /** All that ever were, in their order. */
    log: [] as Notice[],
    /** Pages that the wallet opened. */
    opened: [] as string[],
    /** What the browser says of the extension's. */
    level: 'granted',
    alarms: {
      get: async (name: string) => alarms.get(name) ?? null,
      async create(name: string, when: unknown) {
        alarms.set(name, when)
      },
      clear: async (name: string) => alarms.delete(name),
    },
    notices: {
      async show(notice: Notice) {
        world.shown.set(notice.id, notice)
        world.log.push(notice)
      },
      listShown: async () => [...world.shown.keys()],
      async clear(id: string) {
        world.shown.delete(id)
      },
      level: async () => world.level,
      languages: () => ['en-GB'],
    },
    async openPage(path: string) {
      world.opened.push(path)
    },
  }
  return world
}

export type MemoryNotifications = ReturnType<typeof createMemoryNotifications>
