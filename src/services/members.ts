/**
 * What a thread makes once, when it is first needed, and keeps until it ends. The thread's services hold it, so that a copy
 * of them with more members shares it, and two threads (or two tests) share nothing.
 */
export class Members {
  private readonly made = new Map<(services: never) => object, object>();

  /** What `make` has made for this thread; made now where it was not needed yet. */
  of<Needs, Made extends object>(make: (services: Needs) => Made, services: Needs): Made {
    const present = this.made.get(make) as Made | undefined;
    if (present !== undefined) return present;
    const made = make(services);
    this.made.set(make, made);
    return made;
  }
}

/** Declares such a member: the function that returns it is called with the services of the thread. */
export function member<Needs, Made extends object>(
  make: (services: Needs) => Made,
): (services: Needs & { readonly members: Members }) => Made {
  return (services) => services.members.of(make, services);
}
