/** A stand-in for an object that has only the members which a test uses. */
export const partial = <Whole extends object>(members: Partial<NoInfer<Whole>>): Whole => members as Whole
