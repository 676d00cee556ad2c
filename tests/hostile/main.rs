//! What a repository, a store and an operating system may do to the program: it stays within its bounds of stack, memory
//! and work, names what it left out, and goes on.
//!
//! The program runs as its users run it, under limits of address space and processor time, so that a shape that blows up
//! fails a test instead of ending the machine.

#![cfg(unix)]

mod bytes;
mod damage;
mod files;
mod outputs;
mod place;
mod shapes;
mod store;
