/** An object that answers like another one, except for some of its members. Works with private fields too. */
export const withMembers = <Store extends object, Members extends Partial<Store>>(
  store: Store,
  members: Members,
): Store & Members =>
  new Proxy(store, {
    get: (target, name): unknown => {
      const member: unknown = Reflect.get(name in members ? members : target, name)
      return typeof member === 'function' ? (member.bind(name in members ? members : target) as unknown) : member
    },
  }) as Store & Members
